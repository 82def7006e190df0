// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token that answers a failed transfer with false instead of reverting
/// @notice For tests of the Hub alone.
contract FalseToken is ERC20 {
    bool private _failing;

    constructor() ERC20("False", "FALSE") {}

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function fail(bool failing) external {
        _failing = failing;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return !_failing && super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return !_failing && super.transferFrom(from, to, amount);
    }
}
