import type { Logger } from 'pino';
import { createClaimRepository } from '../db/claims.ts';
import type { Db } from '../db/connect.ts';

/** What the claims' janitor uses from outside. */
export interface ClaimJanitorDeps {
  readonly db: Db;
  /** Starts the workflow of a claim intent; does nothing where one runs. */
  readonly startClaim: (intentId: string) => Promise<void>;
  readonly logger: Logger;
}

export type ClaimJanitorActivities = ReturnType<typeof createClaimJanitorActivities>;

/** A claim that nothing touched for this long should have a workflow; a young one may be just about to get it, in ms. */
const QUIET_MS = 20_000;

/** Work that keeps every open claim in somebody's hands. */
export function createClaimJanitorActivities({ db, startClaim, logger }: ClaimJanitorDeps) {
  return {
    /**
     * Makes sure that every open claim has a workflow: one whose workflow was terminated, lost with its namespace, or never
     * started. Claims of wallets without the Fee Key have none and simply expire. Answers how many were looked at.
     */
    async startMissingClaims(): Promise<number> {
      const claims = createClaimRepository(db);
      await claims.expireUnheld();
      const open = await claims.untended(QUIET_MS);
      for (const { intentId, mint, wallet, state } of open) {
        await startClaim(intentId);
        logger.info({ intentId, mint, wallet, state, workflowId: `claim-${intentId}` }, 'open claim has a workflow');
      }
      return open.length;
    },
  };
}
