// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token whose receivers get more or less than was sent
/// @notice For tests of the Hub alone.
contract SkewToken is ERC20 {
    int256 private _receivedMore;

    constructor() ERC20("Skew", "SKEW") {}

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    /// @notice How many units more (or less, when negative) than the amount a receiver gets from now on.
    function skew(int256 receivedMore) external {
        _receivedMore = receivedMore;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool done) {
        done = super.transferFrom(from, to, amount);
        if (_receivedMore > 0) _mint(to, uint256(_receivedMore));
        if (_receivedMore < 0) _burn(to, uint256(-_receivedMore));
    }
}
