import { NATIVE_MINT } from '@solana/spl-token';
import { type Keypair, PublicKey } from '@solana/web3.js';
import { deriveKeypair } from '../../chain/keys/launch-keys.ts';
import { SwapRefusedError } from '../../chain/aggregator/assert-harmless.ts';
import { buildRestock, type SignedRestock } from '../../chain/restock/restock-transaction.ts';
import type { SwapOffer } from '../../chain/aggregator/swap-aggregator.ts';
import { quoteFeeProblem } from '../../chain/tokens/transfer-fee.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import * as pairs from '../../db/pairs.ts';
import type { PairRecord } from '../../db/pairs.ts';
import type { RestockRound } from '../../db/restock/restock-rounds.ts';
import { quoteForLamports } from '../../domain/launch/dev-buy.ts';
import { leastOfferRaw, leastReceivedRaw, type RestockLimits } from '../../domain/restock/restock.ts';
import type { RestockDeps } from './deps.ts';
import { missingRaw, priced } from './stock.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

/** The message says why. */
export class NothingBoughtError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'NothingBoughtError';
  }
}

/** Swaps for all rounds of a seed. It never holds more than one round needs. */
export function restockWallet({ seeds, context }: Pick<RestockDeps, 'seeds' | 'context'>, seedId: string): Keypair {
  const seed = seeds.find(({ id }) => id === seedId);
  if (!seed) throw new Error(`a restock was planned with seed "${seedId}", which LAUNCH_SEEDS lacks`);
  return deriveKeypair(seed.secret, context, 'restock', 'wallet');
}

/**
 * Throws a NothingBoughtError if the stock suffices again, the offer is worse than the prices, moves them too much or
 * asks for more than a swap, or transfers of the token cost too much.
 */
export async function buildSwap(deps: RestockDeps, round: RestockRound, stamp: Stamp): Promise<SignedRestock> {
  const { limits } = deps;
  if (limits === null) throw new NothingBoughtError('restocks are switched off');
  const pair = await pairs.byMint(deps.db, round.mint);
  if (!pair || (await missingRaw(deps, pair)) === 0n) throw new NothingBoughtError('enough are available again');
  const token = await boughtToken(deps, round);
  const purchase = { token, ...(await acceptableOffer(deps, limits, pair, round.lamports)) };
  try {
    return await signedSwap(deps, round, purchase, stamp);
  } catch (error) {
    if (!(error instanceof SwapRefusedError || error instanceof RangeError)) throw error;
    throw new NothingBoughtError(error.message, error);
  }
}

async function boughtToken({ rpc }: RestockDeps, { mint }: RestockRound): Promise<TokenInfo> {
  const [token] = await rpc.agreedTokens([new PublicKey(mint)]);
  if (!token) throw new Error(`mint ${mint} is not on the chain`);
  const problem = token.unitProblem ?? quoteFeeProblem(token);
  if (problem !== null) throw new NothingBoughtError(problem);
  return token;
}

/** An offer, and the minimum that the treasury must receive, raw units. */
interface Accepted {
  readonly offer: SwapOffer;
  readonly minReceivedRaw: bigint;
}

interface Purchase extends Accepted {
  readonly token: TokenInfo;
}

/** An offer that is no worse than the platform's own prices allow, present and median, whatever the aggregator claims. */
async function acceptableOffer(
  deps: RestockDeps,
  limits: RestockLimits,
  pair: PairRecord,
  lamports: bigint,
): Promise<Accepted> {
  const { maxSlippageBps: slippageBps, maxImpactBps } = limits;
  const order = { inputMint: NATIVE_MINT, outputMint: new PublicKey(pair.mint), inputRaw: lamports, slippageBps };
  const [rates, offer] = await Promise.all([priced(deps, pair), deps.aggregator.offer(order)]);
  if (offer.impactBps > maxImpactBps) {
    throw new NothingBoughtError(
      `the offer moves the price by ${offer.impactBps} bps, at most ${maxImpactBps} are allowed`,
    );
  }
  const presentRaw = quoteForLamports(lamports, rates.present);
  const fair = { presentRaw, medianRaw: quoteForLamports(lamports, rates.median) };
  if (offer.outputRaw >= leastOfferRaw(fair, limits)) {
    return { offer, minReceivedRaw: leastReceivedRaw(offer.outputRaw, fair, limits) };
  }
  throw new NothingBoughtError(
    `the offer is ${offer.outputRaw} raw units, the prices say ${presentRaw}, their medians ${fair.medianRaw}`,
  );
}

async function signedSwap(
  deps: RestockDeps,
  { seedId, lamports }: RestockRound,
  { token, offer, minReceivedRaw }: Purchase,
  stamp: Stamp,
): Promise<SignedRestock> {
  const { rpc, signers, aggregator, programs, settings } = deps;
  const wallet = restockWallet(deps, seedId);
  const swap = await aggregator.instructions(offer, wallet.publicKey);
  return buildRestock(rpc, {
    wallet,
    token,
    swap,
    programs,
    lamports,
    minReceivedRaw,
    stamp,
    treasury: signers.treasury,
    computeUnitPrice: settings.computeUnitPrice,
    untouchable: [signers.platform.publicKey, signers.rewards.publicKey],
  });
}
