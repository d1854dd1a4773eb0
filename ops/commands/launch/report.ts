import * as auditLog from '../../../db/platform/audit-log.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import type { Db } from '../../../db/connect.ts';
import * as launches from '../../../db/launch/launches.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import * as tokens from '../../../db/tokens.ts';
import { RESOLUTION_EFFECT, STATE_MEANING } from '../../../domain/launch/meaning.ts';
import { RESOLUTION_ACTIONS } from '../../../domain/launch/operator-decision.ts';
import { onChainOf, publicStatusOf } from '../../../domain/launch/public-status.ts';
import { LAUNCH_STEPS, launchPurpose, refundPurpose, emptyingPurpose } from '../../../domain/purpose.ts';
import { launchWorkflowId } from '../../../workflows/launch/messages.ts';
import type { TemporalAddress } from '../../service-addresses.ts';
import { adviceFor } from './advice.ts';
import { launchSummary } from './summary.ts';
import { workflowLink } from '../../workflow-link.ts';
import { awaitsDecision } from '../../../domain/launch/machine.ts';

/** Output of `launches show --json`. */
export type LaunchReport = Awaited<ReturnType<typeof readLaunchReport>>;

/** The database only: chain and Temporal may be away. */
export async function readLaunchReport(db: Db, launch: LaunchRecord, temporal: TemporalAddress | undefined) {
  const { quoteId, state, terms, mint } = launch;
  const history = await launches.history(db, quoteId);
  const transactions = await transactionsOf(db, quoteId);
  const parking = history.filter((entry) => entry.state === 'needs_recovery').length;
  return {
    launch: {
      ...launchSummary(launch),
      launchWallet: terms.addresses.launchWallet,
      feeKeyMints: terms.addresses.feeKeyMints,
      seedId: launch.seedId,
      submittedSignature: launch.submittedSignature,
    },
    publicStatus: publicStatusOf(state, onChainOf(quoteId, transactions)),
    meaning: STATE_MEANING[state],
    todo: adviceFor(state, quoteId),
    parking,
    choices: awaitsDecision(state) ? choicesFor(quoteId, parking) : [],
    payment: { lamports: terms.payment.lamports, items: terms.payment.items },
    devBuy: terms.devBuy,
    states: history.map(({ state: name, at, slot, note }) => ({
      state: name,
      at,
      slot,
      note,
    })),
    signatures: (await launches.signatures(db, quoteId)).map(({ signature, kind, addedAt }) => ({
      signature,
      kind,
      addedAt,
    })),
    transactions: transactions.map(transactionFacts),
    token: await tokens.byMint(db, mint),
    audit: [
      ...(await auditLog.ofSubject(db, `launch/${quoteId}`)),
      ...(await auditLog.ofSubject(db, `token/${mint}`)),
    ].map(({ at, actor, action, note, details }) => ({ at, actor, action, note, details })),
    workflow: workflowLink(launchWorkflowId(quoteId), temporal),
  };
}

function choicesFor(quoteId: string, parking: number) {
  return RESOLUTION_ACTIONS.map((action) => ({
    action,
    effect: RESOLUTION_EFFECT[action],
    command: `npm run ops -- launches resolve ${quoteId} ${action} --parking ${parking} --note "…"`,
  }));
}

async function transactionsOf(db: Db, quoteId: string): Promise<ChainTransaction[]> {
  const steps = LAUNCH_STEPS.map((step) => launchPurpose(quoteId, step));
  const attempts = [...steps, refundPurpose(quoteId), emptyingPurpose(quoteId)].map((purpose) =>
    chainTransactions.attemptsOf(db, purpose),
  );
  return (await Promise.all(attempts)).flat();
}

function transactionFacts(row: ChainTransaction) {
  const { purpose, attempt, status, signature, slot, error, errorFinalized, lastValidBlockHeight } = row;
  const { signedAt, broadcastAt, landedAt, settledAt } = row;
  return {
    purpose,
    attempt,
    status,
    signature,
    slot,
    error,
    errorFinalized,
    lastValidBlockHeight,
    signedAt,
    broadcastAt,
    landedAt,
    settledAt,
  };
}
