import { randomInt } from 'node:crypto';
import type { Claimable } from '../../chain/exchange/exchange.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import { TAX_SOURCES_PER_TRANSACTION } from '../../chain/reward/round-transaction.ts';
import { readWithheldTax, type WithheldTax } from '../../chain/tokens/withheld-tax.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { PlannedTransaction } from '../../db/reward/reward-rounds.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardFunds } from '../../db/reward/reward-transactions.ts';
import { priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import { reachesUsd } from '../../domain/reward/usd-amounts.ts';
import type { RewardDeps } from './deps.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { rewardRoundId } from './round-id.ts';
import { bookStrays } from './strays.ts';
import { excessOf, taxSources } from './tax-sources.ts';
import { valuationOf } from './valuation.ts';

/** Tokens that are looked at at once. */
const LOOKS_AT_ONCE = 4;

/** A second in ms. */
const SECOND_MS = 1_000;

/**
 * Plans a round for each reward token for whose holders something has come together. Answers the ids of all open rounds, oldest
 * first: also those that an earlier run has left.
 */
export async function planRewardRounds(deps: RewardDeps): Promise<string[]> {
  await deps.lanes.learn();
  const due = await rewardTokens.due(deps.db, deps.rewards.tokensPerRun);
  await inParallel(LOOKS_AT_ONCE, due, async ({ mint }) => {
    deps.heartbeat();
    await planFor(deps, mint);
  });
  return (await rewardRounds.open(deps.db)).map(({ id }) => id);
}

/** A token that cannot be looked at keeps no other one waiting; it comes again with the next run. */
async function planFor(deps: RewardDeps, mint: string): Promise<void> {
  try {
    const problem = await planOrExplain(deps, mint);
    deps.logger.debug({ mint, problem }, problem === undefined ? 'reward round planned' : 'no reward round is due');
  } catch (error) {
    deps.logger.warn({ err: error, mint }, 'a reward token could not be looked at');
  }
  await rewardTokens.noteLook(deps.db, mint);
}

/** Writes a plan where one is due; answers why not otherwise. */
async function planOrExplain(deps: RewardDeps, mint: string): Promise<string | undefined> {
  const market = await readRewardMarket(deps, mint);
  // What was found may not have come alone: the rest has landed, or is dead, when the next run looks.
  const strays = await bookStrays(deps, market);
  if (strays.length > 0) return `${strays.length} transactions were found that the books lacked`;
  const found = await lookForFunds(deps, market);
  if (!(await isWorthARound(deps, market, found))) return 'what has come together is less than the least payout';
  const { slot } = await deps.rpc.head('finalized');
  const delayMs = randomInt(0, deps.rewards.saleWindowSeconds * SECOND_MS + 1);
  const sellAt = new Date(deps.now().getTime() + delayMs);
  const number = 1 + (await rewardRounds.lastNumber(deps.db, mint));
  const planned = await rewardRounds.plan(deps.db, {
    id: rewardRoundId(mint, number),
    mint,
    number,
    openedSlot: BigInt(slot),
    sellAt,
    transactions: transactionsOf(found),
  });
  return planned ? undefined : 'a round is open';
}

/** Everything that a round of a token could distribute. */
interface Funds {
  readonly tax: WithheldTax['accounts'];
  /** What the first fee sweep withdrew beyond the deposit's tax, raw units. */
  readonly excessRaw: bigint;
  readonly claimable: Claimable;
  /** What earlier rounds left in the pot. */
  readonly left: RewardFunds;
}

async function lookForFunds(deps: RewardDeps, market: RewardMarket): Promise<Funds> {
  const { exchange, rpc, db } = deps;
  const { pool, feeKeyMint, base, token } = market;
  const [state, withheld] = await Promise.all([exchange.readPool(pool), readWithheldTax(rpc.connection, base.mint)]);
  if (!state) throw new Error(`the pool ${token.pool} of ${token.mint} is not on the chain`);
  const [tax, excessRaw, claimable, left] = await Promise.all([
    taxSources(deps, market, state, withheld),
    excessOf(deps, market),
    exchange.readClaimable(pool, feeKeyMint, state),
    rewardTransactions.funds(db, token.mint),
  ]);
  return { tax, excessRaw, claimable, left };
}

async function isWorthARound(deps: RewardDeps, market: RewardMarket, { tax, excessRaw, claimable, left }: Funds) {
  const baseRaw = tax.reduce((sum, { raw }) => sum + raw, excessRaw + claimable.baseRaw + left.baseRaw);
  const quoteRaw = claimable.quoteRaw + left.quoteRaw;
  if (baseRaw + quoteRaw <= 0n) return false;
  const { averagePrice, quoteUsd } = await valuationOf(deps, market);
  const parts = [
    worthUsd(baseRaw, market.base.decimals, priceInUsd(averagePrice, quoteUsd)),
    worthUsd(quoteRaw, market.quote.decimals, quoteUsd),
  ];
  return reachesUsd(parts, deps.rewards.minPayoutUsd);
}

/** Numbered in the order in which they are carried out. The mint's own tax is withdrawn by an instruction of its own. */
function transactionsOf({ tax, excessRaw, claimable, left }: Funds): PlannedTransaction[] {
  const mint = tax.filter(({ owner, account }) => owner.equals(account));
  const accounts = tax.filter(({ owner, account }) => !owner.equals(account));
  const batches = [...mint.map((one) => [one]), ...batchesOf(accounts)];
  const hasBase = tax.length > 0 || excessRaw + claimable.baseRaw + left.baseRaw > 0n;
  const hasFees = claimable.baseRaw > 0n || claimable.quoteRaw > 0n;
  const kinds = [
    ...batches.map((batch) => ({ kind: 'tax' as const, sources: batch.map(({ account }) => account.toBase58()) })),
    ...(excessRaw > 0n ? [{ kind: 'excess' as const, sources: null }] : []),
    ...(hasFees ? [{ kind: 'harvest' as const, sources: null }] : []),
    ...(hasBase ? [{ kind: 'sale' as const, sources: null }] : []),
  ];
  return kinds.map((planned, n) => ({ ...planned, n }));
}

function batchesOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / TAX_SOURCES_PER_TRANSACTION);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * TAX_SOURCES_PER_TRANSACTION, (index + 1) * TAX_SOURCES_PER_TRANSACTION),
  );
}
