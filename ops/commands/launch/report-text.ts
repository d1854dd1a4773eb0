import type { LaunchReport } from './report.ts';
import { facts, type Row, table } from '../../output.ts';
import { awaitsDecision } from '../../../domain/launch/machine.ts';

export function launchReportText(report: LaunchReport): string {
  const { launch, states, transactions, audit, choices } = report;
  const slotted = states.map(({ at, state, slot, note }) => ({
    at,
    state,
    slot: slot === null ? null : Number(slot),
    note,
  }));
  return [
    `${launch.name} (${launch.symbol}), launch ${launch.quoteId}`,
    `${launch.state}: ${report.meaning}`,
    facts(overview(report)),
    section('States', slotted),
    section('Transactions', transactions.map(transactionRow)),
    section('Payment', [
      ...report.payment.items.map(({ item, lamports }) => ({ item, lamports })),
      { item: 'total', lamports: report.payment.lamports },
    ]),
    section(
      'Audit',
      audit.map(({ at, actor, action, note }) => ({ at, actor, action, note })),
    ),
    ...(choices.length === 0 ? [] : [`Choices\n${choices.map(choiceText).join('\n')}`]),
  ].join('\n\n');
}

function overview({ launch, publicStatus, token, workflow, todo, parking }: LaunchReport): Row {
  const { state, mode, creator, mint, launchWallet, paymentSignature, refundSignature, reason, blockedReason } = launch;
  return {
    blocked: blockedReason,
    reason,
    parking: awaitsDecision(state) ? parking : null,
    'if it stays so': awaitsDecision(state) ? null : todo,
    'clients see': publicStatus,
    mode,
    creator,
    mint,
    pool: token?.pool ?? null,
    'launch wallet': launchWallet,
    payment: paymentSignature,
    refund: refundSignature,
    submitted: launch.submittedAt,
    'last touched': launch.updatedAt,
    hidden: token?.hidden ? true : null,
    workflow: workflow.url ?? workflow.id,
  };
}

function transactionRow(row: LaunchReport['transactions'][number]): Row {
  const { purpose, attempt, status, signature, slot, error } = row;
  return {
    purpose: shortPurpose(purpose),
    attempt,
    status,
    slot: slot === null ? null : Number(slot),
    signature,
    error,
  };
}

/** Drops the quote id, so that a line fits a screen. */
function shortPurpose(purpose: string): string {
  const [kind, , step] = purpose.split('/');
  return step === undefined ? (kind ?? purpose) : `${kind}/${step}`;
}

function choiceText({ action, effect, command }: LaunchReport['choices'][number]): string {
  return `  ${action.padEnd(7)} ${effect}\n          ${command}`;
}

function section(title: string, rows: readonly Row[]): string {
  return `${title}\n${rows.length === 0 ? '  none' : table(rows).replace(/^/gm, '  ')}`;
}
