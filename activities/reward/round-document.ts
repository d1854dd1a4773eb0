import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound, RewardValuation } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import type { SnapshotRecord } from '../../db/reward/reward-snapshots.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardTransaction } from '../../db/reward/reward-transactions.ts';
import type { PackedDocument } from '../../db/proof/documents.ts';
import { documentLines, type DocumentHead } from '../../domain/proof/lines.ts';
import { type DocumentPayout, roundDocument } from '../../domain/reward/round-document.ts';
import type { LeftOut } from '../../domain/reward/left-out.ts';
import type { Balances } from '../../domain/reward/least-balances.ts';
import { unionOfAccounts } from '../../domain/reward/other-accounts.ts';
import { packDocument } from '../../db/proof/pack-document.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';
import { windowOf } from './snapshots.ts';

export interface DecidedPlan {
  readonly observations: readonly Balances[];
  readonly payouts: readonly DocumentPayout[];
  readonly leftOut: readonly LeftOut[];
  /** At every observation. */
  readonly belowMinimum: number;
  readonly budgetRaw: bigint;
  /** By rounding down. */
  readonly restRaw: bigint;
  readonly minimumRaw: bigint;
  readonly leastPayoutRaw: bigint;
  readonly valuation: RewardValuation;
  /** The sealed log that its prices in USD are from; null: they are the live ones. */
  readonly table: { readonly number: number; readonly root: string } | null;
}

export async function packRoundDocument(
  deps: RewardDeps,
  round: RewardRound,
  market: RewardMarket,
  plan: DecidedPlan,
): Promise<PackedDocument> {
  const facts = { ...identityOf(deps, round, market), ...(await historyOf(deps, round)), ...divisionOf(deps, plan) };
  const otherAccounts = unionOfAccounts(await rewardSnapshots.otherAccounts(deps.db, round.id));
  const { head, rows } = roundDocument({ ...plan, facts, otherAccounts });
  return packDocument(documentLines(head, rows));
}

function identityOf({ context }: RewardDeps, { id, number, mint }: RewardRound, market: RewardMarket): DocumentHead {
  const { environment, genesisHash } = context;
  const { pot, quote, token } = market;
  return {
    kind: 'reward-round',
    environment,
    genesisHash,
    mint,
    quoteMint: quote.mint.toBase58(),
    pool: token.pool,
    pot: pot.publicKey.toBase58(),
    number,
    id,
  };
}

/** Previous document, observations, collection, sale. */
async function historyOf({ db }: RewardDeps, round: RewardRound): Promise<DocumentHead> {
  const { id, mint, openedSlot, saleAverage, saleNote } = round;
  const { slot, slots } = windowOf(round);
  const [previous, observations, transactions] = await Promise.all([
    rewardRounds.lastSealedRoot(db, mint),
    rewardSnapshots.ofRound(db, id),
    rewardTransactions.ofRound(db, id),
  ]);
  return {
    previous,
    openedSlot: Number(openedSlot),
    window: { slot, slots },
    observations: observations.map(observationOf),
    movements: transactions.filter(({ state }) => state === 'done').map(movementOf),
    saleAverage,
    saleNote,
  };
}

function observationOf({ n, slot, blockhash, readSlot, answerSlots, quorum }: SnapshotRecord): DocumentHead {
  const read = { readSlot: Number(readSlot), answerSlots: answerSlots.map(Number), quorum };
  return { n, slot: Number(slot), blockhash, ...read };
}

function movementOf({ n, kind, signature, slot, baseRaw, quoteRaw }: RewardTransaction): DocumentHead {
  const at = slot === null ? null : Number(slot);
  return { n, kind, signature, slot: at, baseRaw: String(baseRaw), quoteRaw: String(quoteRaw) };
}

function divisionOf({ rewards }: RewardDeps, plan: DecidedPlan): DocumentHead {
  const { averagePrice, quoteUsd, solUsd, priceSource: source, pricedAt } = plan.valuation;
  const table = plan.table && { ...plan.table };
  const { minHoldingUsd, minPayoutUsd, averageMinutes } = rewards;
  return {
    rules: { minHoldingUsd, minPayoutUsd, averageMinutes },
    prices: { averagePrice, quoteUsd, solUsd, source, pricedAt: pricedAt.toISOString(), table },
    budgetRaw: String(plan.budgetRaw),
    restRaw: String(plan.restRaw),
    minimumRaw: String(plan.minimumRaw),
    leastPayoutRaw: String(plan.leastPayoutRaw),
    belowMinimum: plan.belowMinimum,
  };
}
