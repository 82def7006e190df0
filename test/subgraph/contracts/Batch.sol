// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IHub} from "../../../abis/IHub.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Does several things in one transaction, as a copycat would.
contract Batch {
    /// @notice Create `count` bounties over the same terms, so over the same challenge, and submit to each twice.
    function createMany(IHub hub, IHub.BountyTerms calldata terms, uint256 count, bytes32 commitment) external {
        IERC20(terms.token).transferFrom(msg.sender, address(this), terms.amount * count);
        IERC20(terms.token).approve(address(hub), terms.amount * count);
        for (uint256 i = 0; i < count; i++) {
            uint256 bountyId = hub.createBounty(terms);
            hub.submit(bountyId, keccak256("overwritten"));
            hub.submit(bountyId, commitment);
        }
    }
}
