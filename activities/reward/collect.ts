import { PublicKey } from '@solana/web3.js';
import type { PoolState } from '../../chain/exchange/exchange.ts';
import { buildExcessTransfer, buildHarvestToPot, buildTaxWithdrawal } from '../../chain/reward/round-transaction.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import type { PurposeFrame } from '../../chain/transactions/purposed.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardTransaction } from '../../db/reward/reward-transactions.ts';
import type { RewardTransactionKind } from '../../domain/reward/state.ts';
import { moveAndBook } from './book.ts';
import type { RewardDeps } from './deps.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { planCollection } from './plan-collection.ts';
import { inState } from '../../domain/in-state.ts';

const WITHDRAWALS_AT_ONCE = 8;

/** Plans it first if needed. */
export async function collectRewards(deps: RewardDeps, round: RewardRound): Promise<void> {
  if (!inState(round, 'observing', 'collecting')) return;
  const market = await readRewardMarket(deps, round.mint);
  const planned = inState(round, 'observing') ? await planCollection(deps, market, round) : null;
  const all = await rewardTransactions.ofRound(deps.db, round.id);
  const open = all.filter(({ state, kind }) => state === 'planned' && COLLECTED[kind] !== null);
  const pools = poolsOf(deps, market, planned);
  await inParallel(WITHDRAWALS_AT_ONCE, open, (row) =>
    moveAndBook(deps, { round, market, n: row.n, build: (stamp) => buildOf(deps, market, row, { stamp, pools }) }),
  );
  await rewardRounds.advance(deps.db, round.id, 'collecting', 'selling');
}

interface BuildContext {
  readonly stamp: Stamp;
  readonly pools: () => Promise<PoolState | null>;
}

/** The pool read during planning, once; a retry reads the current one. */
function poolsOf({ exchange }: RewardDeps, { pool }: RewardMarket, planned: PoolState | null): BuildContext['pools'] {
  let known = planned;
  return async () => {
    const state = known;
    known = null;
    return state ?? exchange.readPool(pool);
  };
}

type Build = (
  deps: RewardDeps,
  market: RewardMarket,
  row: RewardTransaction,
  context: BuildContext,
) => Promise<SignedTransaction | null>;

/** How each kind is built while a round collects; null for those of a later step. */
const COLLECTED: Readonly<Record<RewardTransactionKind, Build | null>> = {
  tax: withdrawTax,
  excess: bringExcess,
  harvest,
  sale: null,
  seal: null,
  payout: null,
};

async function buildOf(...[deps, market, row, context]: Parameters<Build>) {
  const build = COLLECTED[row.kind];
  if (build === null) throw new Error(`no ${row.kind} is collected`);
  return build(deps, market, row, context);
}

async function withdrawTax(...[deps, market, { sources }, { stamp }]: Parameters<Build>) {
  const accounts = (sources ?? []).map((source) => new PublicKey(source));
  const { base } = market;
  return buildTaxWithdrawal({
    ...frameOf(deps, market, stamp),
    authority: deps.signers.rewards,
    base,
    sources: accounts,
  });
}

async function bringExcess(...[deps, market, , { stamp }]: Parameters<Build>) {
  const { base, token } = market;
  const { excessRaw: amountRaw } = await feeSweeps.depositTax(deps.db, token.mint);
  return buildExcessTransfer({ ...frameOf(deps, market, stamp), authority: deps.signers.rewards, base, amountRaw });
}

async function harvest(...[deps, market, , { stamp, pools }]: Parameters<Build>) {
  const frame = frameOf(deps, market, stamp);
  const { exchange, signers } = deps;
  const { pool, feeKeyMint, base, quote } = market;
  const state = await pools();
  if (!state) throw new Error(`there is no pool ${pool.toBase58()}`);
  const { baseRaw, quoteRaw } = await exchange.readClaimable(pool, feeKeyMint, state);
  if (baseRaw === 0n && quoteRaw === 0n) return null;
  return buildHarvestToPot({ ...frame, exchange, state, base, quote, feeKeyMint, holder: signers.rewards });
}

export function frameOf({ signers, settings }: RewardDeps, { pot }: RewardMarket, stamp: Stamp): PurposeFrame {
  const { computeUnitPrice } = settings;
  return { stamp, payer: signers.platform, wallet: pot, computeUnitPrice };
}
