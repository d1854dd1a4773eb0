import * as claims from '../../db/claim/claims.ts';
import * as unknownWork from '../../db/money/unknown-work.ts';
import type { Finding } from '../../domain/money/finding.ts';
import type { ComparisonDeps } from '../money/reconcile/deps.ts';

/**
 * Finds workflows whose row a restored database lacks: they wait for ever, and what they were about may be paid. Each
 * starts after its row is committed, so a missing row is a lost one.
 */
export async function findRunsWithoutRow({ db, runningWorkflows }: ComparisonDeps): Promise<Finding[]> {
  const runs = (await runningWorkflows()).flatMap(partsOf);
  const idsOf = (isClaim: boolean) => runs.filter(({ noun }) => (noun === 'claim') === isClaim).map(({ id }) => id);
  const [quotes, intents] = [await unknownWork.knownQuotes(db, idsOf(false)), await claims.knownAmong(db, idsOf(true))];
  const lost = runs.filter(({ noun, id }) => !(noun === 'claim' ? intents : quotes).has(id));
  return lost.map(({ workflowId }) => {
    return { kind: 'run-without-row', subject: `workflow/${workflowId}`, books: 'no row', chain: 'it waits for one' };
  });
}

const UUID = /^(launch|airdrop)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const CLAIM = /^(claim)-([\w-]+)$/;

/** Nothing for workflows that no row begins, as those that make a nonce. */
function partsOf(workflowId: string) {
  const [, noun, id] =
    UUID.exec(workflowId) ?? (workflowId.startsWith('claim-nonce-') ? null : CLAIM.exec(workflowId)) ?? [];
  return noun === undefined || id === undefined ? [] : [{ workflowId, noun, id }];
}
