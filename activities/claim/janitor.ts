import type { Logger } from 'pino';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent } from '../../db/claim/claims.ts';
import type { Db } from '../../db/connect.ts';

/** What the claims' janitor uses from outside. */
export interface ClaimJanitorDeps {
  readonly db: Db;
  readonly starter: ClaimWaker;
  readonly logger: Logger;
}

/** How open claims get into somebody's hands. */
export interface ClaimWaker {
  /** Starts the workflow of a claim intent; does nothing where one runs. */
  start(intentId: string): Promise<void>;
  /** The same for one that was submitted: a workflow that runs is told, because it may be waiting for its timer. */
  wake(intentId: string): Promise<void>;
}

export type ClaimJanitorActivities = ReturnType<typeof createClaimJanitorActivities>;

/** A claim that nothing touched for this long should have a workflow; a young one may be just about to get it, in ms. */
const QUIET_MS = 20_000;

/** Open claims read at once. */
const PAGE = 100;

/** Work that keeps every open claim in somebody's hands. */
export function createClaimJanitorActivities({ db, starter, logger }: ClaimJanitorDeps) {
  return {
    /**
     * Makes sure that every open claim has a workflow that knows of it: one whose workflow was terminated, lost with its
     * namespace, never started, or not told because the API ended between its two steps. Claims of wallets without the Fee Key have none and simply expire. Answers how many were looked at.
     */
    async startMissingClaims(): Promise<number> {
      await claims.expireUnheld(db);
      await claims.discardExpired(db);
      const open = await everyUntended(db);
      for (const { intentId, mint, wallet, state } of open) {
        await (state === 'submitted' ? starter.wake(intentId) : starter.start(intentId));
        logger.info({ intentId, mint, wallet, state, workflowId: `claim-${intentId}` }, 'open claim has a workflow');
      }
      return open.length;
    },
  };
}

/** All of them: however many cannot go on, those that can are seen. */
async function everyUntended(db: Db): Promise<ClaimIntent[]> {
  const untended: ClaimIntent[] = [];
  for (;;) {
    const page = await claims.untended(db, QUIET_MS, untended.at(-1)?.intentId ?? null, PAGE);
    untended.push(...page);
    if (page.length < PAGE) return untended;
  }
}
