// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice Has a domain, nonces and a permit from before ERC-2612 (holder, spender, nonce, expiry, allowed), as Dai, or a
/// domain without ERC-5267 and with the type that the test names.
contract OldPermitToken is ERC20 {
    bytes32 public immutable PERMIT_TYPEHASH;
    bytes32 public immutable DOMAIN_SEPARATOR;
    string public version;
    mapping(address owner => uint256) public nonces;

    constructor(string memory permitType, string memory version_) ERC20("Old Permit", "OLD") {
        version = version_;
        PERMIT_TYPEHASH = keccak256(bytes(permitType));
        DOMAIN_SEPARATOR = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Old Permit"),
                keccak256(bytes(version_)),
                block.chainid,
                address(this)
            )
        );
    }
}
