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
import type { RestockDeps } from './deps.ts';
import { missingRaw, priced } from './stock.ts';

/** The day of the limit, in ms. */
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Plans a purchase for each launchable pair of which too little is available, within the limits. Answers the ids of all open
 * rounds, oldest first: also those that an earlier run has left.
 */
export async function planRestocks(deps: RestockDeps): Promise<string[]> {
  await deps.lanes.learn();
  const open = await restockRounds.open(deps.db);
  if (deps.limits !== null) {
    const busy = new Set(open.map(({ mint }) => mint));
    const listed = await pairs.list(deps.db, { launchable: true });
    for (const pair of listed.filter(({ mint }) => !busy.has(mint))) await planFor(deps, deps.limits, pair);
  }
  return openRounds(deps);
}

/** Ids of all open rounds, oldest first. */
export async function openRounds({ db }: Pick<RestockDeps, 'db'>): Promise<string[]> {
  return (await restockRounds.open(db)).map(({ id }) => id);
}

async function planFor(deps: RestockDeps, limits: RestockLimits, pair: PairRecord): Promise<void> {
  const { mint, symbol } = pair;
  try {
    const problem = await planOrExplain(deps, limits, pair);
    if (problem !== undefined) deps.logger.warn({ mint, symbol, problem }, 'quote tokens are running out');
  } catch (error) {
    // Without a price of this pair the others can be restocked all the same.
    if (!(error instanceof AppError)) throw error;
    deps.logger.warn({ mint, symbol, err: error }, 'quote tokens are running out and have no price');
  }
}

/** Writes a plan where one is due. Answers why not, where it is due and the limits do not allow it. */
async function planOrExplain(deps: RestockDeps, limits: RestockLimits, pair: PairRecord): Promise<string | undefined> {
  const shortfall = await missingRaw(deps, pair);
  if (shortfall === 0n) return undefined;
  if (pair.mint === NATIVE_MINT.toBase58()) return 'wrapped SOL is not swapped for; wrap some of the treasury’s SOL';
  const { rate, quote } = await priced(deps, pair);
  const costLamports = lamportsForQuote(shortfall, rate);
  const treasury = deps.signers.treasury.publicKey;
  const treasuryLamports = await deps.rpc.mostLamports(treasury.toBase58());
  return transaction(deps.db, async (tx) => {
    const amounts = await amountsOf(tx, deps, limits, { costLamports, treasuryLamports });
    if (typeof amounts === 'string') return amounts;
    const { solUsd, quoteUsd } = rate;
    const { source: priceSource, observedAt: pricedAt } = quote;
    const round = { id: randomUUID(), mint: pair.mint, seedId: newestSeed(deps), ...amounts };
    const planned = await restockRounds.plan(tx, { ...round, solUsd, quoteUsd, priceSource, pricedAt });
    if (planned) deps.logger.info({ ...round, shortfall: shortfall.toString() }, 'restock planned');
    return undefined;
  });
}

async function amountsOf(
  tx: Db,
  { now }: RestockDeps,
  limits: RestockLimits,
  means: { readonly costLamports: bigint; readonly treasuryLamports: bigint },
) {
  await lockRestockPlans(tx);
  const spentLamports = await restockRounds.spentSince(tx, new Date(now().getTime() - DAY_MS));
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
