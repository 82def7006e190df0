// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../../../abis/IHub.sol";

/// @notice One Solver of many: records a Submission as it comes into being.
contract Solver {
    constructor(IHub hub, uint256 bountyId, bytes32 commitment) {
        hub.submit(bountyId, commitment);
    }
}

/// @notice Records Submissions of as many Solvers as a test wants, in one transaction.
contract ManySolvers {
    function submit(IHub hub, uint256 bountyId, uint256 count) external {
        for (uint256 i = 0; i < count; i++) {
            new Solver(hub, bountyId, keccak256(abi.encode(bountyId, i)));
        }
    }
}
