import type { Client } from '@temporalio/client';
import { findRunsWithoutRow } from '../../activities/claim/find-lost-runs.ts';
import { compareUncharged } from '../../activities/launch/compare-uncharged.ts';
import { findUnknown } from '../../activities/launch/find-unknown.ts';
import { LAUNCH_TRANSACTIONS } from '../../activities/launch/outside-lanes.ts';
import type { ComparisonDeps, ReconcileDeps } from '../../activities/money/reconcile/deps.ts';
import { findShortRestocks } from '../../activities/restock/short-rounds.ts';
import { findUnplannedRounds } from '../../activities/reward/unplanned-rounds.ts';
import { noncePurpose } from '../../domain/claim/purpose.ts';
import type { Shared } from '../shared.ts';

export function reconcileDepsOf(shared: Shared): ReconcileDeps {
  const { treasury, platform } = shared.signers;
  return {
    ...shared,
    outsideLanes: LAUNCH_TRANSACTIONS,
    wallets: { treasury: treasury.publicKey, platform: platform.publicKey },
  };
}

/** Comparisons of the nouns. */
export const NOUNS: Pick<ComparisonDeps, 'checks' | 'compareUncharged' | 'purposeOfAccount'> = {
  checks: [findUnknown, findRunsWithoutRow, findUnplannedRounds, findShortRestocks],
  compareUncharged,
  purposeOfAccount: noncePurpose,
};

export function comparisonDepsOf(shared: Shared): ComparisonDeps {
  const runs = () => runningWorkflows(shared.client);
  return { ...shared, ...reconcileDepsOf(shared), ...NOUNS, runningWorkflows: runs, examined: new Set() };
}

/** More wait only in a crowd of unpaid launches; the next comparison sees those that stay. */
const MOST_RUNS = 5_000;

async function runningWorkflows(client: Client): Promise<string[]> {
  const query = `WorkflowType IN ("launch", "airdrop", "claim") AND ExecutionStatus = "Running"`;
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query, pageSize: 1_000 })) {
    ids.push(workflowId);
    if (ids.length >= MOST_RUNS) break;
  }
  return ids;
}
