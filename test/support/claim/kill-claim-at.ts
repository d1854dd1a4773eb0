import { freezeAndStrike, killOf } from '../../campaigns/chaos/processes/freeze-and-strike.ts';
import type { KilledPart, RealStack } from '../../campaigns/chaos/processes/real-stack.ts';
import { signatureIn, signedBy } from '../platform/creator.ts';
import { eventually } from '../platform/eventually.ts';
import { landedClaims } from './chain-claims.ts';
import { type FeeAnswer, type PreparedClaim, prepareClaim, submitClaim, untilClaim } from './claimant.ts';
import type { DeskMarket } from './desk-market.ts';
import type { ClaimPoint } from './kill-points.ts';

/** What came of a claim during which a process was killed. */
export interface ClaimKillReport {
  readonly claim: PreparedClaim;
  /** The creator's signature over what was issued, base58. */
  readonly signature: string;
  /** The answer that ended the creator's patience with this claim. */
  readonly told: FeeAnswer;
  /** The same body submitted once more when all was over. */
  readonly repeat: FeeAnswer;
  /** Signatures under which it is on the chain. */
  readonly landed: readonly string[];
  /** What reached the creator, raw units of the quote token. */
  readonly received: bigint;
}

/** Pace of the chain while a claim is on its way, and while nothing but finality is waited for. */
const [SLOT_MS, FAST_SLOT_MS] = [400, 10];

/**
 * Prepares and submits a claim, ends one process with `kill -9` the moment the claim has come to a point, and follows it to
 * its end. The worker stands still from the point on until the kill, so that nothing passes it.
 */
export async function killClaimAt(
  stack: RealStack,
  market: DeskMarket,
  part: KilledPart,
  point: ClaimPoint,
): Promise<ClaimKillReport> {
  await stack.control('setSlotMs', { slotMs: SLOT_MS });
  const { keypair, address } = market.creator;
  const before = (await market.holdings(address)).quote;
  const claim = await prepareClaim(stack, market.mint, keypair);
  const signature = signatureIn(signedBy(claim.transaction, [keypair]));
  const underWay = { intentId: claim.intentId, signature };
  const disarm = await point.arm?.(stack);
  const moment = { what: `the moment to kill ${part}`, hasCome: () => point.reached(stack, underWay), disarm };
  const kill = () => freezeAndStrike(stack, moment, killOf(part), () => Promise.resolve());
  if (point.isEarly) await kill();
  const answered = submitPatiently(stack, market, claim);
  if (point.isLate) await answered.then(() => stack.control('setSlotMs', { slotMs: FAST_SLOT_MS }));
  if (!point.isEarly) await kill();
  const told = await answered;
  await stack.control('setSlotMs', { slotMs: FAST_SLOT_MS });
  await untilClaim(stack, claim.intentId, point.ends ?? 'finalized');
  const landed = await landedClaims(stack, claim.intentId);
  const received = (await market.holdings(address)).quote - before;
  return { claim, signature, told, landed, received, repeat: await submitClaim(stack, claim, keypair) };
}

/** Submits the same body until it is answered with anything but "not now", as the documentation asks of clients. */
function submitPatiently(stack: RealStack, market: DeskMarket, claim: PreparedClaim): Promise<FeeAnswer> {
  return eventually(async () => {
    const answer = await submitClaim(stack, claim, market.creator.keypair);
    return answer.http === 503 ? null : answer;
  }, `an answer to the claim ${claim.intentId}`);
}
