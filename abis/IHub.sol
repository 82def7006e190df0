// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The Hub: escrow, Verdict counting and payout of scientific bounties
/// @notice The document of record of the chain boundary: every event, error and call that the subgraph, the server
/// and the SDK rely on stands here. Amounts are in the smallest unit of the bounty's ERC-20 token, timestamps are
/// Unix seconds compared with `block.timestamp`, fees are in basis points (1/100 of a percent).
/// @dev Errors are named `Hub_Reason`. Events are in the past tense. The Hub never looks inside a commitment.
interface IHub {
    /// @notice Where a bounty stands. `None` means that no bounty has this id.
    enum Status {
        None,
        Open,
        Awarded,
        Refunded,
        TimedOut
    }

    /// @notice What a Verdict says: pay the winner, or give the Poster the escrow back.
    enum Outcome {
        None,
        Awarded,
        Refunded
    }

    /// @notice One member of a roster.
    /// @param account The address that records Verdicts and signs API requests
    /// @param name 1 to 64 printable ASCII characters, unique in its roster ignoring case
    /// @param encryptionPublicKey 32-byte X25519 key in base64url without padding: 43 characters (RFC 4648 section 5)
    struct Guardian {
        address account;
        string name;
        string encryptionPublicKey;
    }

    /// @notice The terms of a new bounty.
    /// @param specCommitment keccak256 of the exact bytes of the challenge document, not zero
    /// @param token ERC-20 token of the escrow
    /// @param amount Escrow, in units of the token's decimals, more than zero
    /// @param submissionDeadline First second at which no Submission is accepted any more
    /// @param judgingDeadlineAt First second at which no Verdict is accepted any more
    /// @param settlementTimeoutAt First second at which a bounty without a majority can be timed out
    /// @param guardianRosterHash The roster that the Poster saw; creation reverts when it is no longer current
    /// @param maxFeeBps The highest fee that the Poster agrees to, in basis points
    struct BountyTerms {
        bytes32 specCommitment;
        address token;
        uint256 amount;
        uint64 submissionDeadline;
        uint64 judgingDeadlineAt;
        uint64 settlementTimeoutAt;
        bytes32 guardianRosterHash;
        uint16 maxFeeBps;
    }

    /// @notice An ERC-2612 permit for exactly the escrow of the bounty that it comes with.
    struct Permit {
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice The part of a Verdict that must match between Guardians.
    /// @param outcome Awarded or Refunded
    /// @param winner The Solver to pay; zero when refunded
    /// @param submissionCommitment The winner's active Submission; zero when refunded
    /// @param payoutData `abi.encode(address token, uint256 netAmount)` when awarded, empty when refunded
    struct Verdict {
        Outcome outcome;
        address winner;
        bytes32 submissionCommitment;
        bytes payoutData;
    }

    /// @notice A bounty as the Hub keeps it.
    struct Bounty {
        address poster;
        Status status;
        uint64 submissionDeadline;
        address token;
        uint64 judgingDeadlineAt;
        address treasury;
        uint64 settlementTimeoutAt;
        uint16 feeBps;
        uint256 amount;
        bytes32 specCommitment;
        bytes32 guardianRosterHash;
        address winner;
        bytes32 awardedSubmissionCommitment;
    }

    /// @notice A roster became the current one. An old roster may be published again.
    event RosterPublished(bytes32 indexed rosterHash, Guardian[] guardians);

    /// @notice Bounties created from now on carry this fee and this treasury.
    event FeePolicyUpdated(uint16 feeBps, address treasury);

    /// @notice A Poster funded a bounty. Everything here is fixed for the bounty's life.
    event BountyCreated(
        uint256 indexed bountyId,
        address indexed poster,
        bytes32 indexed specCommitment,
        address token,
        uint256 amount,
        uint64 submissionDeadline,
        uint64 judgingDeadlineAt,
        uint64 settlementTimeoutAt,
        bytes32 guardianRosterHash,
        uint16 feeBps,
        address treasury
    );

    /// @notice A Solver's active Submission is now this one; an earlier one of the same Solver is overwritten.
    event SubmissionRecorded(uint256 indexed bountyId, address indexed solver, bytes32 indexed submissionCommitment);

    /// @notice A Guardian's current Verdict is now this one; an earlier one of the same Guardian is overwritten.
    /// @param matchHash `keccak256(abi.encode(outcome, winner, submissionCommitment, payoutData))`
    event VerdictRecorded(
        uint256 indexed bountyId,
        address indexed guardian,
        bytes32 indexed reportCommitment,
        Outcome outcome,
        address winner,
        bytes32 submissionCommitment,
        bytes payoutData,
        bytes32 matchHash
    );

    /// @notice Two thirds of the pinned roster agreed to pay the winner.
    /// @param netAmount What the winner may claim: the escrow less the fee
    /// @param feeAmount `floor(amount * feeBps / 10000)`, for the treasury
    /// @param matching How many of the roster's current Verdicts matched at settlement
    event BountyAwarded(
        uint256 indexed bountyId,
        address indexed winner,
        bytes32 indexed submissionCommitment,
        uint256 netAmount,
        uint256 feeAmount,
        bytes32 matchHash,
        uint256 matching,
        uint256 rosterSize
    );

    /// @notice Two thirds of the pinned roster agreed to give the Poster the whole escrow back.
    event BountyRefunded(
        uint256 indexed bountyId,
        address indexed poster,
        uint256 amount,
        bytes32 matchHash,
        uint256 matching,
        uint256 rosterSize
    );

    /// @notice No majority until the settlement timeout: the Poster gets the whole escrow back.
    event BountyTimedOut(uint256 indexed bountyId, address indexed poster, uint256 amount);

    /// @notice A bounty's end added to a balance that its owner may claim at any later time.
    event BalanceQueued(uint256 indexed bountyId, address indexed account, address indexed token, uint256 amount);

    /// @notice The owner took the whole queued balance in one token.
    event BalanceClaimed(address indexed account, address indexed token, address indexed to, uint256 amount);

    error Hub_RosterEmpty();
    error Hub_RosterTooLarge(uint256 size, uint256 maximum);
    error Hub_RosterNotAscending(address previous, address account);
    error Hub_GuardianNameInvalid(uint256 index);
    error Hub_GuardianNameRepeated(uint256 first, uint256 second);
    error Hub_GuardianKeyInvalid(uint256 index);
    error Hub_GuardianKeyRepeated(uint256 first, uint256 second);
    error Hub_FeeTooHigh(uint16 feeBps, uint16 maximum);
    error Hub_TreasuryMissing();
    error Hub_SpecCommitmentMissing();
    error Hub_TokenInvalid(address token);
    error Hub_AmountZero();
    error Hub_DeadlinesNotAscending(uint64 submissionDeadline, uint64 judgingDeadlineAt, uint64 settlementTimeoutAt);
    error Hub_DeadlineInPast(uint64 submissionDeadline, uint256 timestamp);
    error Hub_RosterChanged(bytes32 expected, bytes32 current);
    error Hub_FeeChanged(uint16 maxFeeBps, uint16 feeBps);
    error Hub_PermitRefused(uint256 allowance, uint256 amount);
    error Hub_EscrowMismatch(uint256 expected, uint256 received);
    error Hub_BountyUnknown(uint256 bountyId);
    error Hub_BountyNotOpen(uint256 bountyId, Status status);
    error Hub_SubmissionCommitmentMissing();
    error Hub_SubmissionsClosed(uint256 bountyId, uint64 submissionDeadline);
    error Hub_JudgingNotStarted(uint256 bountyId, uint64 submissionDeadline);
    error Hub_JudgingClosed(uint256 bountyId, uint64 judgingDeadlineAt);
    error Hub_NotPinnedGuardian(uint256 bountyId, address account);
    error Hub_ReportCommitmentMissing();
    error Hub_OutcomeInvalid();
    error Hub_SubmissionNotActive(uint256 bountyId, address winner, bytes32 submissionCommitment);
    error Hub_PayoutDataInvalid();
    error Hub_RefundNamesWinner();
    error Hub_NoMajority(uint256 bountyId);
    error Hub_MajorityReached(uint256 bountyId);
    error Hub_TimeoutNotReached(uint256 bountyId, uint64 settlementTimeoutAt);
    error Hub_NothingToClaim(address account, address token);
    error Hub_ReceiverInvalid(address to);
    error Hub_OwnerRequired();

    /// @notice Make a roster the current one. Owner only.
    /// @return rosterHash `keccak256(abi.encode(guardians))`
    function publishRoster(Guardian[] calldata guardians) external returns (bytes32 rosterHash);

    /// @notice Change fee and treasury for bounties created from now on. Owner only.
    function setFeePolicy(uint16 feeBps, address treasury) external;

    /// @notice Create a bounty and pull its escrow from the caller, who becomes its Poster.
    function createBounty(BountyTerms calldata terms) external returns (uint256 bountyId);

    /// @notice The same in one transaction with an ERC-2612 permit. A permit that somebody already used is tolerated
    /// when the allowance is there.
    function createBountyWithPermit(BountyTerms calldata terms, Permit calldata permit)
        external
        returns (uint256 bountyId);

    /// @notice Record the caller's active Submission, while open and before the submission deadline.
    function submit(uint256 bountyId, bytes32 submissionCommitment) external;

    /// @notice Record the caller's current Verdict, while open and in [submissionDeadline, judgingDeadlineAt).
    function recordVerdict(uint256 bountyId, Verdict calldata verdict, bytes32 reportCommitment) external;

    /// @notice Settle by the Verdict that two thirds of the pinned roster agree on. Anyone may call.
    function settle(uint256 bountyId) external;

    /// @notice Refund a bounty without a majority once its settlement timeout has passed. Anyone may call.
    function timeOut(uint256 bountyId) external;

    /// @notice Send the caller's whole queued balance in `token` to `to`.
    function claim(address token, address to) external returns (uint256 amount);

    /// @notice The current fee and treasury, which the next bounty will carry.
    function feePolicy() external view returns (uint16 feeBps, address treasury);

    /// @notice The hash of the current roster, zero before the first.
    function currentRosterHash() external view returns (bytes32);

    /// @notice The members of a published roster in ascending order of account.
    function roster(bytes32 rosterHash) external view returns (Guardian[] memory);

    /// @notice A bounty's terms and state; reverts when unknown.
    function bounty(uint256 bountyId) external view returns (Bounty memory);

    /// @notice How many bounties were created; ids run from 1 to this number.
    function bountyCount() external view returns (uint256);

    /// @notice A Solver's active Submission, zero while none.
    function submissionOf(uint256 bountyId, address solver) external view returns (bytes32);

    /// @notice A Guardian's current Verdict: what it matches by, and its report. Zeros while none.
    function verdictOf(uint256 bountyId, address guardian)
        external
        view
        returns (bytes32 matchHash, bytes32 reportCommitment);

    /// @notice How many current Verdicts carry this match hash.
    function matchingVerdicts(uint256 bountyId, bytes32 matchHash) external view returns (uint256);

    /// @notice What an account may claim in a token.
    function queuedBalance(address account, address token) external view returns (uint256);
}
