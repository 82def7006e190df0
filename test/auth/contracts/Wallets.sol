// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice An ERC-1271 wallet of one key, which a test can make misbehave.
contract Wallets {
    enum Mood {
        Honest,
        Reverting,
        WrongMagic,
        Burning,
        Verbose
    }

    address public immutable owner;
    Mood public mood;

    constructor(address owner_) {
        owner = owner_;
    }

    function setMood(Mood next) external {
        mood = next;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (mood == Mood.Reverting) revert("no");
        if (mood == Mood.WrongMagic) return 0xffffffff;
        if (mood == Mood.Burning) {
            uint256 x = 1;
            while (x != 0) x = uint256(keccak256(abi.encode(x)));
        }
        if (mood == Mood.Verbose) {
            assembly {
                return(0, 1048576)
            }
        }
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v = uint8(signature[64]);
        return ecrecover(hash, v, r, s) == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
