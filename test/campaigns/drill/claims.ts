import type { Keypair } from '@solana/web3.js';
import { POOL_MOVED_ON } from '../../../activities/claim/verify-before-signing.ts';
import * as claims from '../../../db/claim/claims.ts';
import { isClaimSettled } from '../../../domain/claim/state.ts';
import { landedClaims } from '../../support/claim/chain-claims.ts';
import { type FeeAnswer, type PreparedClaim, prepareClaim, submitClaim } from '../../support/claim/claimant.ts';
import type { DeskMarket } from '../../support/claim/desk-market.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { countOf } from '../counts.ts';

/** A claim that was submitted and is under way. */
export interface OpenClaim {
  readonly claim: PreparedClaim;
  /** The answer that ended the creator's patience. */
  readonly answered: Promise<FeeAnswer>;
}

/** Trades, so that there are fees, and begins to claim them. */
export async function beginClaim(ground: RealStack, market: DeskMarket): Promise<OpenClaim> {
  await market.trade('buy', '25.5');
  const claim = await prepareClaim(ground, market.mint, market.creator.keypair);
  const answered = submitPatiently(ground, claim, market.creator.keypair);
  // What fails is thrown to whoever waits for the answer.
  answered.catch(() => undefined);
  return { claim, answered };
}

/** What a submit names of a claim. */
export type IssuedClaim = Pick<PreparedClaim, 'mint' | 'intentId' | 'transaction'>;

/** Submits the same body until it is answered with anything but "not now", as the documentation asks of clients. */
export function submitPatiently(ground: RealStack, claim: IssuedClaim, creator: Keypair): Promise<FeeAnswer> {
  return eventually(async () => {
    const answer = await submitClaim(ground, claim, creator);
    return answer.http === 503 ? null : answer;
  }, `an answer to claim ${claim.intentId}`);
}

/** What came of the claims of a drill. */
export interface ClaimsEnd {
  /** How many ended in each state. */
  readonly ended: Readonly<Record<string, number>>;
  /** What is not as it must be, in words. */
  readonly problems: readonly string[];
}

interface EndOfOne {
  readonly state: string;
  readonly paid: bigint;
  readonly problems: readonly string[];
}

/** Waits for the end of every claim: each is paid once or, where the pool moved first, never, and together to the unit. */
export async function endOfClaims(
  ground: RealStack,
  market: DeskMarket,
  begun: readonly OpenClaim[],
): Promise<ClaimsEnd> {
  const each = await Promise.all(begun.map((one) => endOfOne(ground, one)));
  const due = each.reduce((sum, { paid }) => sum + paid, 0n);
  const { quote: received } = await market.holdings(market.creator.address);
  const ended = countOf(each.map(({ state }) => state));
  const unpaid = received === due ? [] : [`all claims together brought ${received} instead of ${due}`];
  return { ended, problems: [...each.flatMap(({ problems }) => problems), ...unpaid] };
}

async function endOfOne(ground: RealStack, { claim: { intentId, amounts }, answered }: OpenClaim): Promise<EndOfOne> {
  const { http, data } = await answered;
  const { state, reason } = await eventually(async () => {
    const intent = await claims.byId(ground.db, intentId);
    return intent && isClaimSettled(intent.state) ? intent : null;
  }, `the end of claim ${intentId}`);
  const { length } = await landedClaims(ground, intentId);
  const isPaid = state === 'finalized' && length === 1;
  // The creator was not told that it landed, and claims again.
  const isUnpaid = length === 0 && data?.landed !== true;
  const isOvertaken = isUnpaid && http === 200 && state === 'not_landed';
  // Rounds harvest the pool, and an earlier claim may land late: each replaces the stand-in's pool state.
  const isRefusedInTime = isUnpaid && http === 409 && state === 'refused' && reason === POOL_MOVED_ON;
  const told = `claim ${intentId} was answered ${http}${data?.landed ? ' as landed' : ''}, is ${state} (${reason ?? 'no reason'}) and landed ${length} times`;
  return {
    state,
    paid: isPaid ? BigInt(amounts.quote.amountRaw) : 0n,
    problems: (http === 200 && isPaid) || isOvertaken || isRefusedInTime ? [] : [told],
  };
}
