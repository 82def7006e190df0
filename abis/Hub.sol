// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IHub} from "./IHub.sol";
import {RosterRules} from "./RosterRules.sol";

/// @title Reference implementation of the Hub
/// @notice What each function promises stands in `IHub`. Money comes in through bounty creation alone and leaves
/// through `claim` alone; nobody, the owner included, can move escrow or change a bounty that exists.
/// @dev Bodies read check, effect, log, and end with the interaction. Counting is O(1) in the size of the roster.
contract Hub is IHub, Ownable2Step, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice The most members that a roster can have: what fits into one transaction of 2^24 gas (EIP-7825).
    uint256 public constant MAX_ROSTER_SIZE = 100;

    /// @notice The highest fee that the owner can set, in basis points.
    uint16 public constant MAX_FEE_BPS = 1_000;

    uint256 private constant BASIS_POINTS = 10_000;

    /// @dev A Guardian is a member of a roster exactly when the key here is not zero.
    struct Profile {
        bytes32 encryptionKey;
        string name;
    }

    /// @dev The current Verdict of one Guardian on one bounty.
    struct CurrentVerdict {
        bytes32 matchHash;
        bytes32 reportCommitment;
    }

    /// @dev The Verdict that two thirds currently agree on and that can be paid out. No match hash: there is none.
    struct Majority {
        bytes32 matchHash;
        bytes32 submissionCommitment;
        address winner;
        Outcome outcome;
    }

    /// @inheritdoc IHub
    bytes32 public currentRosterHash;

    /// @inheritdoc IHub
    uint256 public bountyCount;

    /// @inheritdoc IHub
    mapping(uint256 bountyId => mapping(address solver => bytes32)) public submissionOf;

    /// @inheritdoc IHub
    mapping(uint256 bountyId => mapping(bytes32 matchHash => uint256)) public matchingVerdicts;

    /// @inheritdoc IHub
    mapping(address account => mapping(address token => uint256)) public queuedBalance;

    address private _treasury;
    uint16 private _feeBps;
    mapping(bytes32 rosterHash => address[]) private _rosterAccounts;
    mapping(bytes32 rosterHash => mapping(address account => Profile)) private _profiles;
    mapping(uint256 bountyId => Bounty) private _bounties;
    mapping(uint256 bountyId => mapping(address guardian => CurrentVerdict)) private _verdicts;
    mapping(uint256 bountyId => Majority) private _majorities;

    /// @param owner Who publishes rosters and sets the fee policy
    /// @param feeBps The first fee, in basis points
    /// @param treasury Who receives it
    constructor(address owner, uint16 feeBps, address treasury) Ownable(owner) {
        _setFeePolicy(feeBps, treasury);
    }

    /// @inheritdoc IHub
    function publishRoster(Guardian[] calldata guardians) external onlyOwner returns (bytes32 rosterHash) {
        rosterHash = keccak256(abi.encode(guardians));
        // A roster that is known was checked when it was published first.
        if (_rosterAccounts[rosterHash].length == 0) _keepRoster(rosterHash, guardians);
        currentRosterHash = rosterHash;
        emit RosterPublished(rosterHash, guardians);
    }

    /// @inheritdoc IHub
    function setFeePolicy(uint16 feeBps, address treasury) external onlyOwner {
        _setFeePolicy(feeBps, treasury);
    }

    /// @notice Always refused: without an owner nobody could replace a roster whose Guardians are gone.
    function renounceOwnership() public view override onlyOwner {
        revert Hub_OwnerRequired();
    }

    /// @inheritdoc IHub
    function createBounty(BountyTerms calldata terms) external nonReentrant returns (uint256 bountyId) {
        return _createBounty(terms);
    }

    /// @inheritdoc IHub
    function createBountyWithPermit(BountyTerms calldata terms, Permit calldata permit)
        external
        nonReentrant
        returns (uint256 bountyId)
    {
        if (terms.token.code.length == 0) revert Hub_TokenInvalid(terms.token);
        // A permit lies in the open while it waits for its block, so anyone may use it first. That fails the call
        // and leaves the allowance behind, which is all that is needed here.
        try IERC20Permit(terms.token).permit(
            msg.sender, address(this), terms.amount, permit.deadline, permit.v, permit.r, permit.s
        ) {} catch {}
        uint256 allowance = IERC20(terms.token).allowance(msg.sender, address(this));
        if (allowance < terms.amount) revert Hub_PermitRefused(allowance, terms.amount);
        return _createBounty(terms);
    }

    /// @inheritdoc IHub
    function submit(uint256 bountyId, bytes32 submissionCommitment) external {
        Bounty storage target = _openBounty(bountyId);
        if (block.timestamp >= target.submissionDeadline) {
            revert Hub_SubmissionsClosed(bountyId, target.submissionDeadline);
        }
        if (submissionCommitment == 0) revert Hub_SubmissionCommitmentMissing();

        submissionOf[bountyId][msg.sender] = submissionCommitment;

        emit SubmissionRecorded(bountyId, msg.sender, submissionCommitment);
    }

    /// @inheritdoc IHub
    function recordVerdict(uint256 bountyId, Verdict calldata verdict, bytes32 reportCommitment) external {
        Bounty storage target = _openBounty(bountyId);
        if (block.timestamp < target.submissionDeadline) {
            revert Hub_JudgingNotStarted(bountyId, target.submissionDeadline);
        }
        if (block.timestamp >= target.judgingDeadlineAt) {
            revert Hub_JudgingClosed(bountyId, target.judgingDeadlineAt);
        }
        if (_profiles[target.guardianRosterHash][msg.sender].encryptionKey == 0) {
            revert Hub_NotPinnedGuardian(bountyId, msg.sender);
        }
        if (reportCommitment == 0) revert Hub_ReportCommitmentMissing();
        bool settles = _checkVerdict(bountyId, target, verdict);

        bytes32 matchHash = keccak256(
            abi.encode(verdict.outcome, verdict.winner, verdict.submissionCommitment, verdict.payoutData)
        );
        CurrentVerdict storage current = _verdicts[bountyId][msg.sender];
        current.reportCommitment = reportCommitment;
        if (current.matchHash != matchHash) {
            uint256 rosterSize = _rosterAccounts[target.guardianRosterHash].length;
            if (current.matchHash != 0) _leave(bountyId, current.matchHash, rosterSize);
            current.matchHash = matchHash;
            uint256 matching = ++matchingVerdicts[bountyId][matchHash];
            if (settles && _isMajority(matching, rosterSize) && _majorities[bountyId].matchHash != matchHash) {
                _majorities[bountyId] =
                    Majority(matchHash, verdict.submissionCommitment, verdict.winner, verdict.outcome);
            }
        }

        emit VerdictRecorded(
            bountyId,
            msg.sender,
            reportCommitment,
            verdict.outcome,
            verdict.winner,
            verdict.submissionCommitment,
            verdict.payoutData,
            matchHash
        );
    }

    /// @inheritdoc IHub
    function settle(uint256 bountyId) external {
        Bounty storage target = _openBounty(bountyId);
        Majority memory majority = _majorities[bountyId];
        if (majority.matchHash == 0) revert Hub_NoMajority(bountyId);

        uint256 matching = matchingVerdicts[bountyId][majority.matchHash];
        uint256 rosterSize = _rosterAccounts[target.guardianRosterHash].length;
        if (majority.outcome == Outcome.Refunded) {
            target.status = Status.Refunded;
            emit BountyRefunded(bountyId, target.poster, target.amount, majority.matchHash, matching, rosterSize);
            _queue(bountyId, target.poster, target.token, target.amount);
            return;
        }
        uint256 feeAmount = _feeAmount(target);
        uint256 netAmount = target.amount - feeAmount;
        target.status = Status.Awarded;
        target.winner = majority.winner;
        target.awardedSubmissionCommitment = majority.submissionCommitment;
        emit BountyAwarded(
            bountyId,
            majority.winner,
            majority.submissionCommitment,
            netAmount,
            feeAmount,
            majority.matchHash,
            matching,
            rosterSize
        );
        _queue(bountyId, majority.winner, target.token, netAmount);
        if (feeAmount > 0) _queue(bountyId, target.treasury, target.token, feeAmount);
    }

    /// @inheritdoc IHub
    function timeOut(uint256 bountyId) external {
        Bounty storage target = _openBounty(bountyId);
        if (block.timestamp < target.settlementTimeoutAt) {
            revert Hub_TimeoutNotReached(bountyId, target.settlementTimeoutAt);
        }
        if (_majorities[bountyId].matchHash != 0) revert Hub_MajorityReached(bountyId);

        target.status = Status.TimedOut;
        emit BountyTimedOut(bountyId, target.poster, target.amount);
        _queue(bountyId, target.poster, target.token, target.amount);
    }

    /// @inheritdoc IHub
    function claim(address token, address to) external nonReentrant returns (uint256 amount) {
        if (to == address(0) || to == address(this)) revert Hub_ReceiverInvalid(to);
        amount = queuedBalance[msg.sender][token];
        if (amount == 0) revert Hub_NothingToClaim(msg.sender, token);

        queuedBalance[msg.sender][token] = 0;

        emit BalanceClaimed(msg.sender, token, to, amount);

        IERC20(token).safeTransfer(to, amount);
    }

    /// @inheritdoc IHub
    function feePolicy() external view returns (uint16 feeBps, address treasury) {
        return (_feeBps, _treasury);
    }

    /// @inheritdoc IHub
    function roster(bytes32 rosterHash) external view returns (Guardian[] memory guardians) {
        address[] memory accounts = _rosterAccounts[rosterHash];
        guardians = new Guardian[](accounts.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            Profile storage profile = _profiles[rosterHash][accounts[i]];
            string memory key = Base64.encodeURL(abi.encodePacked(profile.encryptionKey));
            guardians[i] = Guardian(accounts[i], profile.name, key);
        }
    }

    /// @inheritdoc IHub
    function bounty(uint256 bountyId) external view returns (Bounty memory) {
        if (_bounties[bountyId].status == Status.None) revert Hub_BountyUnknown(bountyId);
        return _bounties[bountyId];
    }

    /// @inheritdoc IHub
    function verdictOf(uint256 bountyId, address guardian)
        external
        view
        returns (bytes32 matchHash, bytes32 reportCommitment)
    {
        CurrentVerdict storage current = _verdicts[bountyId][guardian];
        return (current.matchHash, current.reportCommitment);
    }

    function _setFeePolicy(uint16 feeBps, address treasury) private {
        if (feeBps > MAX_FEE_BPS) revert Hub_FeeTooHigh(feeBps, MAX_FEE_BPS);
        if (treasury == address(0)) revert Hub_TreasuryMissing();

        _feeBps = feeBps;
        _treasury = treasury;

        emit FeePolicyUpdated(feeBps, treasury);
    }

    function _keepRoster(bytes32 rosterHash, Guardian[] calldata guardians) private {
        uint256 size = guardians.length;
        if (size == 0) revert Hub_RosterEmpty();
        if (size > MAX_ROSTER_SIZE) revert Hub_RosterTooLarge(size, MAX_ROSTER_SIZE);

        bytes32[] memory names = new bytes32[](size);
        bytes32[] memory keys = new bytes32[](size);
        address previous = address(0);
        for (uint256 i = 0; i < size; ++i) {
            Guardian calldata guardian = guardians[i];
            if (guardian.account <= previous) revert Hub_RosterNotAscending(previous, guardian.account);
            previous = guardian.account;
            names[i] = RosterRules.foldedNameHash(guardian.name);
            if (names[i] == 0) revert Hub_GuardianNameInvalid(i);
            keys[i] = RosterRules.decodedKey(guardian.encryptionPublicKey);
            if (keys[i] == 0) revert Hub_GuardianKeyInvalid(i);
            _checkUnique(names, keys, i);
            _rosterAccounts[rosterHash].push(guardian.account);
            Profile storage profile = _profiles[rosterHash][guardian.account];
            profile.encryptionKey = keys[i];
            profile.name = guardian.name;
        }
    }

    /// @dev Compares in memory: even for the largest roster that is cheaper than to mark names and keys in storage.
    function _checkUnique(bytes32[] memory names, bytes32[] memory keys, uint256 index) private pure {
        bytes32 name = names[index];
        bytes32 key = keys[index];
        for (uint256 i = 0; i < index; ++i) {
            if (names[i] == name) revert Hub_GuardianNameRepeated(i, index);
            if (keys[i] == key) revert Hub_GuardianKeyRepeated(i, index);
        }
    }

    function _createBounty(BountyTerms calldata terms) private returns (uint256 bountyId) {
        _checkTerms(terms);

        bountyId = ++bountyCount;
        Bounty storage created = _bounties[bountyId];
        created.poster = msg.sender;
        created.status = Status.Open;
        created.submissionDeadline = terms.submissionDeadline;
        created.token = terms.token;
        created.judgingDeadlineAt = terms.judgingDeadlineAt;
        created.treasury = _treasury;
        created.settlementTimeoutAt = terms.settlementTimeoutAt;
        created.feeBps = _feeBps;
        created.amount = terms.amount;
        created.specCommitment = terms.specCommitment;
        created.guardianRosterHash = terms.guardianRosterHash;

        emit BountyCreated(
            bountyId,
            msg.sender,
            terms.specCommitment,
            terms.token,
            terms.amount,
            terms.submissionDeadline,
            terms.judgingDeadlineAt,
            terms.settlementTimeoutAt,
            terms.guardianRosterHash,
            created.feeBps,
            created.treasury
        );

        _pullEscrow(IERC20(terms.token), terms.amount);
    }

    function _checkTerms(BountyTerms calldata terms) private view {
        if (terms.specCommitment == 0) revert Hub_SpecCommitmentMissing();
        if (terms.token.code.length == 0) revert Hub_TokenInvalid(terms.token);
        if (terms.amount == 0) revert Hub_AmountZero();
        if (
            terms.submissionDeadline >= terms.judgingDeadlineAt || terms.judgingDeadlineAt >= terms.settlementTimeoutAt
        ) {
            revert Hub_DeadlinesNotAscending(
                terms.submissionDeadline, terms.judgingDeadlineAt, terms.settlementTimeoutAt
            );
        }
        if (terms.submissionDeadline <= block.timestamp) {
            revert Hub_DeadlineInPast(terms.submissionDeadline, block.timestamp);
        }
        // Zero is what the current roster is before the first one: nobody may pin it.
        if (terms.guardianRosterHash == 0 || terms.guardianRosterHash != currentRosterHash) {
            revert Hub_RosterChanged(terms.guardianRosterHash, currentRosterHash);
        }
        if (_feeBps > terms.maxFeeBps) revert Hub_FeeChanged(terms.maxFeeBps, _feeBps);
    }

    /// @dev Believes the Hub's own balance and nothing that the token says about the transfer.
    function _pullEscrow(IERC20 token, uint256 amount) private {
        uint256 balanceBefore = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = Math.saturatingSub(token.balanceOf(address(this)), balanceBefore);
        if (received != amount) revert Hub_EscrowMismatch(amount, received);
    }

    /// @dev Reverts on a Verdict of the wrong shape. A wrong amount is not a wrong shape: the answer is false, and the
    /// Verdict is counted but can never be settled by.
    function _checkVerdict(uint256 bountyId, Bounty storage target, Verdict calldata verdict)
        private
        view
        returns (bool settles)
    {
        if (verdict.outcome == Outcome.Refunded) {
            if (verdict.winner != address(0) || verdict.submissionCommitment != 0) revert Hub_RefundNamesWinner();
            if (verdict.payoutData.length != 0) revert Hub_PayoutDataInvalid();
            return true;
        }
        if (verdict.outcome != Outcome.Awarded) revert Hub_OutcomeInvalid();
        bytes32 active = submissionOf[bountyId][verdict.winner];
        if (active == 0 || active != verdict.submissionCommitment) {
            revert Hub_SubmissionNotActive(bountyId, verdict.winner, verdict.submissionCommitment);
        }
        if (verdict.payoutData.length != 64) revert Hub_PayoutDataInvalid();
        (uint256 token, uint256 netAmount) = abi.decode(verdict.payoutData, (uint256, uint256));
        if (token != uint160(target.token) || netAmount == 0) revert Hub_PayoutDataInvalid();
        return netAmount == target.amount - _feeAmount(target);
    }

    function _leave(uint256 bountyId, bytes32 matchHash, uint256 rosterSize) private {
        uint256 left = --matchingVerdicts[bountyId][matchHash];
        if (_majorities[bountyId].matchHash == matchHash && !_isMajority(left, rosterSize)) {
            delete _majorities[bountyId];
        }
    }

    function _queue(uint256 bountyId, address account, address token, uint256 amount) private {
        queuedBalance[account][token] += amount;
        emit BalanceQueued(bountyId, account, token, amount);
    }

    function _openBounty(uint256 bountyId) private view returns (Bounty storage target) {
        target = _bounties[bountyId];
        if (target.status == Status.None) revert Hub_BountyUnknown(bountyId);
        if (target.status != Status.Open) revert Hub_BountyNotOpen(bountyId, target.status);
    }

    function _feeAmount(Bounty storage target) private view returns (uint256) {
        return Math.mulDiv(target.amount, target.feeBps, BASIS_POINTS);
    }

    function _isMajority(uint256 matching, uint256 rosterSize) private pure returns (bool) {
        return 3 * matching >= 2 * rosterSize;
    }
}
