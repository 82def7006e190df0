// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Wallets} from "./Wallets.sol";

/// @notice Deploys a wallet at an address that is known before (CREATE2).
contract WalletFactory {
    function deploy(address owner, bytes32 salt) external returns (address) {
        return address(new Wallets{salt: salt}(owner));
    }

    function addressOf(address owner, bytes32 salt) external view returns (address) {
        bytes memory code = abi.encodePacked(type(Wallets).creationCode, abi.encode(owner));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, keccak256(code))))));
    }
}
