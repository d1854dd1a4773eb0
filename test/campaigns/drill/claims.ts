import type { Keypair } from '@solana/web3.js';
import * as claims from '../../../db/claim/claims.ts';
import { isClaimSettled } from '../../../domain/claim/state.ts';
import { landedClaims } from '../../support/claim/chain-claims.ts';
import { type FeeAnswer, type PreparedClaim, prepareClaim, submitClaim } from '../../support/claim/claimant.ts';
import type { DeskMarket } from '../../support/claim/desk-market.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';

/** A claim that was submitted and is under way. */
export interface OpenClaim {
  readonly claim: PreparedClaim;
  /** The HTTP status that ended the creator's patience. */
  readonly answered: Promise<number>;
}

/** Trades, so that there are fees, and begins to claim them. */
export async function beginClaim(ground: RealStack, market: DeskMarket): Promise<OpenClaim> {
  await market.trade('buy', '25.5');
  const claim = await prepareClaim(ground, market.mint, market.creator.keypair);
  const answered = submitPatiently(ground, claim, market.creator.keypair).then(({ http }) => http);
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

/** Waits for the end of every claim; answers what is not as it must be: each paid once, and together to the unit. */
export async function claimProblems(
  ground: RealStack,
  market: DeskMarket,
  begun: readonly OpenClaim[],
): Promise<string[]> {
  const each = await Promise.all(begun.map((one) => problemsOfOne(ground, one)));
  const due = begun.reduce((sum, { claim }) => sum + BigInt(claim.amounts.quote.amountRaw), 0n);
  const { quote: received } = await market.holdings(market.creator.address);
  return [...each.flat(), ...(received === due ? [] : [`all claims together brought ${received} instead of ${due}`])];
}

async function problemsOfOne(ground: RealStack, { claim: { intentId }, answered }: OpenClaim): Promise<string[]> {
  const http = await answered;
  const state = await eventually(async () => {
    const intent = await claims.byId(ground.db, intentId);
    return intent && isClaimSettled(intent.state) ? intent.state : null;
  }, `the end of claim ${intentId}`);
  const landed = await landedClaims(ground, intentId);
  if (http === 200 && state === 'finalized' && landed.length === 1) return [];
  return [`claim ${intentId} was answered ${http}, is ${state} and landed ${landed.length} times`];
}
