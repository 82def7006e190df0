// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token that calls somebody in the middle of a transfer, a permit or an allowance
/// @notice For tests of the Hub alone. It can also act as an account: `execute` calls anybody as this contract.
contract MischiefToken is ERC20 {
    address private _target;
    bytes private _data;
    bool private _passFailureOn;
    uint256 public attempts;
    uint256 public successes;

    constructor() ERC20("Mischief", "MISCHIEF") {}

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    /// @notice From now on every transfer and permit first calls `target`; passes its revert on if asked to.
    function arm(address target, bytes calldata data, bool passFailureOn) external {
        (_target, _data, _passFailureOn) = (target, data, passFailureOn);
    }

    function execute(address target, bytes calldata data) external {
        _call(target, data, true);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        _strike();
        return super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _strike();
        return super.transferFrom(from, to, amount);
    }

    /// @notice ERC-2612 by name only: approves whatever it is told to.
    function permit(address owner, address spender, uint256 amount, uint256, uint8, bytes32, bytes32) external {
        _strike();
        _approve(owner, spender, amount);
    }

    function _strike() private {
        if (_target == address(0)) return;
        ++attempts;
        if (_call(_target, _data, _passFailureOn)) ++successes;
    }

    function _call(address target, bytes memory data, bool passFailureOn) private returns (bool success) {
        bytes memory result;
        (success, result) = target.call(data);
        if (!success && passFailureOn) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
    }
}
