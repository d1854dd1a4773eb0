import type { Db } from '../../../db/connect.ts';
import * as rewardPayouts from '../../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../../db/reward/reward-snapshots.ts';
import * as rewardTokens from '../../../db/reward/reward-tokens.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import { rewardRoundWorkflowId } from '../../../workflows/reward/messages.ts';
import type { TemporalAddress } from '../../service-addresses.ts';
import { OpsError } from '../../io.ts';
import { duration, facts, type Row, table } from '../../output.ts';
import { workflowLink } from '../../workflow-link.ts';

const ROUND_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Finds a round by id or workflow id, or a token's newest. Throws an OpsError. */
export async function findRewardRound(db: Db, id: string): Promise<RewardRound> {
  const roundId = id.replace(/^reward-round-/, '').toLowerCase();
  const round = ROUND_ID.test(roundId)
    ? await rewardRounds.byId(db, roundId)
    : (await rewardRounds.newest(db, 1, id))[0];
  if (!round) throw new OpsError(`there is no reward round ${id}, and no token of this mint that has one`);
  return round;
}

export async function readRewardReport(db: Db, round: RewardRound, temporal: TemporalAddress | undefined) {
  const { id, mint } = round;
  const [token, transactions, snapshots, payouts, funds] = await Promise.all([
    rewardTokens.byMint(db, mint),
    rewardTransactions.ofRound(db, id),
    rewardSnapshots.ofRound(db, id),
    rewardPayouts.ofRound(db, id),
    rewardTransactions.funds(db, mint),
  ]);
  const workflow = workflowLink(rewardRoundWorkflowId(id), temporal);
  return { round, pot: token?.pot ?? null, funds, transactions, snapshots, payouts, workflow };
}

type RewardReport = Awaited<ReturnType<typeof readRewardReport>>;

export function rewardReportText({ round, pot, funds, workflow, ...parts }: RewardReport): string {
  const { state, mint, problem, problemAt, tries, note, saleNote, averagePrice, quoteUsd, budgetRaw, holders } = round;
  const rows = {
    mint,
    problem,
    'failed last': problemAt,
    'failed steps': tries,
    note,
    'of the sale': saleNote,
    'average price': averagePrice,
    'quote token, USD': quoteUsd,
    'divided, quote raw': textOf(budgetRaw),
    holders,
    pot,
    'pot now, token raw': `${funds.baseRaw}`,
    'pot now, quote raw': `${funds.quoteRaw}`,
    planned: round.plannedAt,
    'window from slot': textOf(round.windowSlot),
    'sale due': round.sellAt,
    ended: round.endedAt,
    workflow: workflow.url ?? workflow.id,
  };
  return [
    `reward round ${round.id}: ${state}`,
    facts(rows),
    section('Observations', parts.snapshots.map(snapshotRow)),
    section('Transactions', parts.transactions.map(transactionRow)),
    section('Payouts', parts.payouts.map(payoutRow)),
  ].join('\n\n');
}

export function rewardRow({
  id,
  mint,
  state,
  plannedAt,
  endedAt,
  budgetRaw,
  problem,
  note,
  saleNote,
}: RewardRound): Row {
  const age = duration((endedAt ?? new Date()).getTime() - plannedAt.getTime());
  const why = problem ?? note ?? saleNote;
  return { state, 'round id': id, mint, planned: plannedAt, took: age, 'divided, raw': textOf(budgetRaw), why };
}

function snapshotRow({ n, slot, blockhash, readSlot }: RewardReport['snapshots'][number]): Row {
  return { n, 'drawn slot': Number(slot), blockhash, 'read at': Number(readSlot) };
}

function transactionRow(row: RewardReport['transactions'][number]): Row {
  const { n, kind, state, baseRaw, quoteRaw, recipients, signature } = row;
  return { n, kind, state, 'token raw': `${baseRaw}`, 'quote raw': `${quoteRaw}`, recipients, signature };
}

function payoutRow({ n, kind, state, owner, balanceRaw, amountRaw, rentRaw }: RewardReport['payouts'][number]): Row {
  const amounts = { 'held, raw': `${balanceRaw}`, 'paid, quote raw': `${amountRaw}`, 'rent, quote raw': `${rentRaw}` };
  return { n, kind, state, owner, ...amounts };
}

function textOf(raw: bigint | null): string | null {
  return raw === null ? null : String(raw);
}

function section(title: string, rows: readonly Row[]): string {
  return `${title}\n${rows.length === 0 ? '  none' : table(rows).replace(/^/gm, '  ')}`;
}
