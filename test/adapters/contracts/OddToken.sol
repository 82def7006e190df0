// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Answers every call in one odd way, which a test chooses.
contract OddToken {
    enum Mood {
        Silent,
        Reverting,
        Verbose,
        Burning,
        Invalid,
        Endless,
        Ones
    }

    Mood private immutable _mood;

    constructor(Mood mood_) {
        _mood = mood_;
    }

    fallback() external {
        if (_mood == Mood.Reverting) revert("no");
        if (_mood == Mood.Verbose) {
            assembly ("memory-safe") {
                revert(0, 300000)
            }
        }
        if (_mood == Mood.Burning) {
            uint256 x = 1;
            while (x != 0) x = uint256(keccak256(abi.encode(x)));
        }
        if (_mood == Mood.Invalid) {
            assembly {
                invalid()
            }
        }
        if (_mood == Mood.Endless) {
            assembly ("memory-safe") {
                return(0, 300000)
            }
        }
        if (_mood == Mood.Ones) {
            assembly {
                mstore(0, not(0))
                return(0, 32)
            }
        }
    }
}
