// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What a Guardian's name and key must look like
/// @notice Pure checks for `IHub.publishRoster`: names are 1 to 64 printable ASCII characters, keys are the one
/// canonical base64url text of 32 bytes (RFC 4648 section 5, without padding).
/// @dev Says yes or no; the Hub alone decides which error that is.
library RosterRules {
    uint256 private constant MAX_NAME_LENGTH = 64;
    uint256 private constant KEY_LENGTH = 43;
    uint256 private constant NOT_IN_ALPHABET = 0xff;

    /// @notice The hash by which names are compared: of the name in lower case; zero when the name is not valid.
    function foldedNameHash(string calldata name) internal pure returns (bytes32) {
        bytes memory folded = bytes(name);
        uint256 length = folded.length;
        if (length == 0 || length > MAX_NAME_LENGTH) return 0;
        // Nothing here can overflow: characters are below 128, and a roster of the largest size must fit into a block.
        unchecked {
            for (uint256 i = 0; i < length; ++i) {
                uint256 code = uint8(folded[i]);
                if (code < 0x20 || code > 0x7e) return 0;
                if (code - 0x41 < 26) folded[i] = bytes1(uint8(code | 0x20));
            }
        }
        return keccak256(folded);
    }

    /// @notice The 32 bytes of a key; zero when the text is not canonical, or says the zero key.
    function decodedKey(string calldata text) internal pure returns (bytes32) {
        bytes memory characters = bytes(text);
        if (characters.length != KEY_LENGTH) return 0;
        uint256 bits = 0;
        // Nothing here can overflow: every value has six bits, and `bits` holds the first 252 of them.
        unchecked {
            for (uint256 i = 0; i < KEY_LENGTH - 1; ++i) {
                uint256 value = sextet(uint8(characters[i]));
                if (value == NOT_IN_ALPHABET) return 0;
                bits = (bits << 6) | value;
            }
            // 43 characters carry 258 bits: the last one gives four, and the two it has left over must be zero.
            uint256 last = sextet(uint8(characters[KEY_LENGTH - 1]));
            if (last == NOT_IN_ALPHABET || last & 3 != 0) return 0;
            return bytes32((bits << 4) | (last >> 2));
        }
    }

    /// @dev `code - x < n` is true for the n codes from x on alone: below x the difference wraps around.
    function sextet(uint256 code) private pure returns (uint256) {
        unchecked {
            if (code - 0x61 < 26) return code - 71;
            if (code - 0x41 < 26) return code - 65;
            if (code - 0x30 < 10) return code + 4;
        }
        if (code == 0x2d) return 62;
        if (code == 0x5f) return 63;
        return NOT_IN_ALPHABET;
    }
}
