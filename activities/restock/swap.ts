import { NATIVE_MINT } from '@solana/spl-token';
import { type Keypair, PublicKey } from '@solana/web3.js';
import { deriveKeypair } from '../../chain/keys/launch-keys.ts';
import { SwapRefusedError } from '../../chain/aggregator/assert-harmless.ts';
import { buildRestock } from '../../chain/restock/restock-transaction.ts';
import type { TokenInfo } from '../../chain/exchange/exchange.ts';
import type { SwapOffer } from '../../chain/aggregator/swap-aggregator.ts';
import { quoteFeeProblem } from '../../chain/tokens/transfer-fee.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import * as pairs from '../../db/pairs.ts';
import type { PairRecord } from '../../db/pairs.ts';
import type { RestockRound } from '../../db/restock/restock-rounds.ts';
import { quoteForLamports } from '../../domain/launch/dev-buy.ts';
import { lessBps, RESTOCK_FLOAT_LAMPORTS, type RestockLimits } from '../../domain/restock/restock.ts';
import type { RestockDeps } from './deps.ts';
import { missingRaw, priced } from './stock.ts';

/** Nothing is bought in this round; the message says why. */
export class NothingBoughtError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'NothingBoughtError';
  }
}

/** The wallet that swaps for all rounds of a seed. It never holds more than one round needs. */
export function restockWallet({ seeds, context }: RestockDeps, seedId: string): Keypair {
  const seed = seeds.find(({ id }) => id === seedId);
  if (!seed) throw new Error(`a restock was planned with seed "${seedId}", which LAUNCH_SEEDS lacks`);
  return deriveKeypair(seed.secret, context, 'restock', 'wallet');
}

/**
 * Builds and signs a round's swap on a fresh offer. Throws a NothingBoughtError when the tokens are not missing any more, or
 * the offer is worse than the prices, moves them too much, or asks for more than a swap, or transfers of the tokens take too much.
 */
export async function buildSwap(deps: RestockDeps, round: RestockRound, stamp: Stamp): Promise<SignedTransaction> {
  const { limits } = deps;
  if (limits === null) throw new NothingBoughtError('restocks are switched off');
  const pair = await pairs.byMint(deps.db, round.mint);
  if (!pair || (await missingRaw(deps, pair)) === 0n) throw new NothingBoughtError('enough are available again');
  const token = await boughtToken(deps, round);
  const offer = await acceptableOffer(deps, limits, pair, round.lamports);
  const purchase = { token, offer, minReceivedRaw: lessBps(offer.outputRaw, limits.maxSlippageBps) };
  try {
    return await signedSwap(deps, round, purchase, stamp);
  } catch (error) {
    if (!(error instanceof SwapRefusedError || error instanceof RangeError)) throw error;
    throw new NothingBoughtError(error.message, error);
  }
}

/** The token as a quorum has it. What its author would take of a transfer into the treasury has a ceiling, as everywhere. */
async function boughtToken({ rpc }: RestockDeps, { mint }: RestockRound): Promise<TokenInfo> {
  const [token] = await rpc.agreedTokens([new PublicKey(mint)]);
  if (!token) throw new Error(`mint ${mint} is not on the chain`);
  const problem = quoteFeeProblem(token);
  if (problem !== null) throw new NothingBoughtError(problem);
  return token;
}

/** An offer for so many lamports that is no worse than our own prices say, whatever the aggregator says of it. */
async function acceptableOffer(
  deps: RestockDeps,
  { maxSlippageBps: slippageBps, maxImpactBps }: RestockLimits,
  pair: PairRecord,
  lamports: bigint,
): Promise<SwapOffer> {
  const order = { inputMint: NATIVE_MINT, outputMint: new PublicKey(pair.mint), inputRaw: lamports, slippageBps };
  const [{ rate }, offer] = await Promise.all([priced(deps, pair), deps.aggregator.offer(order)]);
  if (offer.impactBps > maxImpactBps) {
    throw new NothingBoughtError(
      `the offer moves the price by ${offer.impactBps} bps, at most ${maxImpactBps} are allowed`,
    );
  }
  const fairRaw = quoteForLamports(lamports, rate);
  if (offer.outputRaw >= lessBps(fairRaw, maxImpactBps)) return offer;
  throw new NothingBoughtError(`the offer is ${offer.outputRaw} raw units, the prices say ${fairRaw}`);
}

/** What is bought, and what the treasury gets of it at least, raw units. */
interface Purchase {
  readonly token: TokenInfo;
  readonly offer: SwapOffer;
  readonly minReceivedRaw: bigint;
}

async function signedSwap(
  deps: RestockDeps,
  { seedId, lamports }: RestockRound,
  { token, offer, minReceivedRaw }: Purchase,
  stamp: Stamp,
): Promise<SignedTransaction> {
  const { rpc, signers, aggregator, programs, settings } = deps;
  const wallet = restockWallet(deps, seedId);
  const [swap, held] = await Promise.all([
    aggregator.instructions(offer, wallet.publicKey),
    rpc.connection.getBalance(wallet.publicKey, 'confirmed'),
  ]);
  const needed = lamports + RESTOCK_FLOAT_LAMPORTS - BigInt(held);
  return buildRestock(rpc.connection, {
    wallet,
    token,
    swap,
    programs,
    minReceivedRaw,
    stamp,
    treasury: signers.treasury,
    computeUnitPrice: settings.computeUnitPrice,
    untouchable: [signers.platform.publicKey, signers.rewards.publicKey],
    fundLamports: needed > 0n ? needed : 0n,
  });
}
