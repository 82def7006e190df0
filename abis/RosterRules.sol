// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What a Guardian's name and key must look like
/// @notice Pure checks for `IHub.publishRoster`: names are 1 to 64 printable ASCII characters, keys are the one
/// canonical base64url text of 32 bytes (RFC 4648 section 5, without padding).
/// @dev Says yes or no; the Hub alone decides which error that is.
library RosterRules {
    uint256 private constant MAX_NAME_LENGTH = 64;
    uint256 private constant KEY_LENGTH = 43;
    uint8 private constant NOT_IN_ALPHABET = 0xff;

    /// @notice The hash by which names are compared: of the name in lower case; zero when the name is not valid.
    function foldedNameHash(string calldata name) internal pure returns (bytes32) {
        bytes memory folded = bytes(name);
        uint256 length = folded.length;
        if (length == 0 || length > MAX_NAME_LENGTH) return 0;
        for (uint256 i = 0; i < length; ++i) {
            bytes1 character = folded[i];
            if (character < 0x20 || character > 0x7e) return 0;
            if (character >= "A" && character <= "Z") folded[i] = character | 0x20;
        }
        return keccak256(folded);
    }

    /// @notice The 32 bytes of a key; zero when the text is not canonical, or says the zero key.
    function decodedKey(string calldata text) internal pure returns (bytes32) {
        bytes calldata characters = bytes(text);
        if (characters.length != KEY_LENGTH) return 0;
        uint256 bits = 0;
        for (uint256 i = 0; i < KEY_LENGTH - 1; ++i) {
            uint8 value = sextet(characters[i]);
            if (value == NOT_IN_ALPHABET) return 0;
            bits = (bits << 6) | value;
        }
        // 43 characters carry 258 bits: the last one gives four, and the two it has left over must be zero.
        uint8 last = sextet(characters[KEY_LENGTH - 1]);
        if (last == NOT_IN_ALPHABET || last & 3 != 0) return 0;
        return bytes32((bits << 4) | (last >> 2));
    }

    function sextet(bytes1 character) private pure returns (uint8) {
        uint8 code = uint8(character);
        if (character >= "A" && character <= "Z") return code - 65;
        if (character >= "a" && character <= "z") return code - 71;
        if (character >= "0" && character <= "9") return code + 4;
        if (character == "-") return 62;
        if (character == "_") return 63;
        return NOT_IN_ALPHABET;
    }
}
