import { randomUUID } from 'node:crypto';
import { NATIVE_MINT } from '@solana/spl-token';
import { type Db, transaction } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import type { PairRecord } from '../../db/pairs.ts';
import * as restockRounds from '../../db/restock/restock-rounds.ts';
import { lockRestockPlans } from '../../db/restock/restock-rounds.ts';
import { lamportsForQuote } from '../../domain/launch/dev-buy.ts';
import { AppError } from '../../domain/errors.ts';
import { restockAmounts, type RestockLimits } from '../../domain/restock/restock.ts';
import { chainMoment } from '../../chain/rpc/chain-moment.ts';
import type { RestockDeps } from './deps.ts';
import { missingRaw, priced } from './stock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Plans a restock for each launchable pair with too little stock, within the limits, unless an earlier round brought
 * less than agreed.
 */
export async function planRestocks(deps: RestockDeps): Promise<string[]> {
  await deps.lanes.learn();
  const open = await restockRounds.open(deps.db);
  if (deps.limits !== null) {
    const stopped = await restockRounds.uncleared(deps.db);
    for (const { id, mint, reason } of stopped)
      deps.logger.error({ roundId: id, mint, reason }, 'a pair is not restocked');
    const busy = new Set([...open, ...stopped].map(({ mint }) => mint));
    const listed = await pairs.list(deps.db, { launchable: true });
    for (const pair of listed.filter(({ mint }) => !busy.has(mint))) await planFor(deps, deps.limits, pair);
  }
  return openRounds(deps);
}

/** Oldest first. */
export async function openRounds({ db }: Pick<RestockDeps, 'db'>): Promise<string[]> {
  return (await restockRounds.open(db)).map(({ id }) => id);
}

async function planFor(deps: RestockDeps, limits: RestockLimits, pair: PairRecord): Promise<void> {
  const { mint, symbol } = pair;
  try {
    const problem = await planOrExplain(deps, limits, pair);
    if (problem !== undefined) deps.logger.warn({ mint, symbol, problem }, 'quote tokens are running out');
  } catch (error) {
    // One pair's missing price does not block the others.
    if (!(error instanceof AppError)) throw error;
    deps.logger.warn({ mint, symbol, err: error }, 'quote tokens are running out and have no price');
  }
}

async function planOrExplain(deps: RestockDeps, limits: RestockLimits, pair: PairRecord): Promise<string | undefined> {
  const shortfall = await missingRaw(deps, pair);
  if (shortfall === 0n) return undefined;
  if (pair.mint === NATIVE_MINT.toBase58()) return 'wrapped SOL is not swapped for; wrap some of the treasury’s SOL';
  const { present, quote } = await priced(deps, pair);
  const costLamports = lamportsForQuote(shortfall, present);
  const treasury = deps.signers.treasury.publicKey;
  const treasuryLamports = await deps.rpc.leastLamports(treasury.toBase58());
  const { at } = await chainMoment(deps);
  return transaction(deps.db, async (tx) => {
    const amounts = await amountsOf(tx, at, limits, { costLamports, treasuryLamports });
    if (typeof amounts === 'string') return amounts;
    const { solUsd, quoteUsd } = present;
    const { source: priceSource, observedAt: pricedAt } = quote;
    const round = { id: randomUUID(), mint: pair.mint, seedId: newestSeed(deps), plannedAt: at, ...amounts };
    const planned = await restockRounds.plan(tx, { ...round, solUsd, quoteUsd, priceSource, pricedAt });
    if (planned) deps.logger.info({ ...round, shortfall: shortfall.toString() }, 'restock planned');
    return undefined;
  });
}

async function amountsOf(
  tx: Db,
  at: Date,
  limits: RestockLimits,
  means: { readonly costLamports: bigint; readonly treasuryLamports: bigint },
) {
  await lockRestockPlans(tx);
  const spentLamports = await restockRounds.spentSince(tx, new Date(at.getTime() - DAY_MS));
  const committedLamports = (await restockRounds.open(tx)).reduce(
    (sum, { budgetLamports }) => sum + budgetLamports,
    0n,
  );
  return restockAmounts({ ...means, spentLamports, committedLamports }, limits);
}

function newestSeed({ seeds }: RestockDeps): string {
  const [newest] = seeds;
  if (newest === undefined) throw new Error('there is no launch seed to derive the wallet of restocks from');
  return newest.id;
}
