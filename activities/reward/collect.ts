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

const COLLECTING: ReadonlySet<RewardTransactionKind> = new Set(['tax', 'excess', 'harvest']);

const WITHDRAWALS_AT_ONCE = 8;

/** Plans it first if needed. */
export async function collectRewards(deps: RewardDeps, round: RewardRound): Promise<void> {
  if (round.state !== 'observing' && round.state !== 'collecting') return;
  const market = await readRewardMarket(deps, round.mint);
  const planned = round.state === 'observing' ? await planCollection(deps, market, round) : null;
  const all = await rewardTransactions.ofRound(deps.db, round.id);
  const open = all.filter(({ state, kind }) => state === 'planned' && COLLECTING.has(kind));
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

function buildOf(
  deps: RewardDeps,
  market: RewardMarket,
  { kind, sources }: RewardTransaction,
  { stamp, pools }: BuildContext,
): Promise<SignedTransaction | null> {
  const frame = frameOf(deps, market, stamp);
  if (kind === 'harvest') return harvest(deps, market, frame, pools);
  if (kind === 'excess') return bringExcess(deps, market, frame);
  const { base } = market;
  const accounts = (sources ?? []).map((source) => new PublicKey(source));
  return buildTaxWithdrawal({ ...frame, authority: deps.signers.rewards, base, sources: accounts });
}

async function bringExcess(deps: RewardDeps, { base, token }: RewardMarket, frame: ReturnType<typeof frameOf>) {
  const { excessRaw: amountRaw } = await feeSweeps.depositTax(deps.db, token.mint);
  return buildExcessTransfer({ ...frame, authority: deps.signers.rewards, base, amountRaw });
}

async function harvest(
  deps: RewardDeps,
  market: RewardMarket,
  frame: ReturnType<typeof frameOf>,
  pools: BuildContext['pools'],
) {
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
