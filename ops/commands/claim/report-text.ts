import type { ClaimReport, MintClaimsReport } from './report.ts';
import { facts, type Row, table } from '../../output.ts';
import type { ClaimRefusal } from '../../../domain/claim/state.ts';

export function claimReportText({ claim, meaning, todo, transactions, workflow }: ClaimReport): string {
  const { state, mint, wallet, signature, slot, reason, refusal, nonceAccount, nonce, baseRaw, quoteRaw } = claim;
  const rows = {
    why: reason,
    'clients see': clientsSee(claim),
    'if it stays so': todo,
    mint,
    wallet,
    'holds the Fee Key': claim.holdsFeeKey,
    refusal,
    signature,
    slot: slot === null ? null : Number(slot),
    'nonce account': nonceAccount,
    nonce,
    'fees, token raw': `${baseRaw}`,
    'fees, quote raw': `${quoteRaw}`,
    issued: claim.issuedAt,
    expires: claim.expiresAt,
    submitted: claim.submittedAt,
    relayed: claim.relayedAt,
    settled: claim.settledAt,
    'last touched': claim.updatedAt,
    workflow: workflow.url ?? workflow.id,
  };
  return [`claim ${claim.intentId}`, `${state}: ${meaning}`, facts(rows), section('Transactions', transactions)].join(
    '\n\n',
  );
}

export function mintClaimsText({ mint, nonce, nonceTransactions, nonceWorkflow, claims }: MintClaimsReport): string {
  const rows = {
    'nonce account': nonce?.nonceAccount ?? 'none yet: nothing was prepared',
    authority: nonce?.authority ?? null,
    workflow: nonceWorkflow.url ?? nonceWorkflow.id,
  };
  return [
    `claims of ${mint}`,
    facts(rows),
    section('Transactions of the nonce account', nonceTransactions),
    `Claims\n${indented(table(claims.map(claimRow)))}`,
  ].join('\n\n');
}

export function claimRow({ state, intentId, mint, wallet, signature, issuedAt, reason }: ClaimReport['claim']): Row {
  return { state, 'intent id': intentId, mint, wallet, signature, issued: issuedAt, why: reason };
}

const REFUSED_WITH: Readonly<Record<ClaimRefusal, string>> = { forbidden: '403', conflict: '409' };

function clientsSee({ state, refusal, expiresAt }: ClaimReport['claim']): string {
  switch (state) {
    case 'issued':
      return expiresAt > new Date() ? 'nothing yet: the creator has not submitted' : '409, expired';
    case 'submitted':
      return '503, not relayed yet; submit the same again';
    case 'relaying':
    case 'killing':
      return '200 with the signature, landed not said';
    case 'relayed':
    case 'finalized':
      return '200 with the signature, landed true';
    case 'not_landed':
      return '200 with the signature, landed false';
    case 'refused':
      return REFUSED_WITH[refusal ?? 'conflict'];
    case 'expired':
      return '409, expired';
  }
}

function section(title: string, transactions: ClaimReport['transactions']): string {
  const rows = transactions.map(({ purpose, attempt, status, slot, signature, error }) => ({
    purpose,
    attempt,
    status,
    slot: slot === null ? null : Number(slot),
    signature,
    error,
  }));
  return `${title}\n${rows.length === 0 ? '  none' : indented(table(rows))}`;
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
