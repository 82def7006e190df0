// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title A token for escrow on local chains only
/// @notice Everyone can make as much of it as they like, so it must never be deployed where money is real.
/// @dev ERC-20 with ERC-2612 permits (EIP-712 domain: name as below, version "1") and six decimals, like most stablecoins.
contract TestToken is ERC20, ERC20Permit {
    constructor() ERC20("Test Token", "TEST") ERC20Permit("Test Token") {}

    /// @notice Make `amount` new units (millionths of a token) for `account`. Anyone may call.
    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
