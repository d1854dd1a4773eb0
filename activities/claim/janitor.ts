import type { Logger } from 'pino';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent } from '../../db/claim/claims.ts';
import type { Db } from '../../db/connect.ts';
import type { ClaimState } from '../../domain/claim/state.ts';

export interface ClaimJanitorDeps {
  readonly db: Db;
  readonly starter: ClaimWaker;
  readonly logger: Logger;
}

export interface ClaimWaker {
  /** Does nothing if it runs. */
  start(intentId: string): Promise<void>;
  /** Or signals a running one, which may wait for its timer. */
  wake(intentId: string): Promise<void>;
}

export type ClaimJanitorActivities = ReturnType<typeof createClaimJanitorActivities>;

/** Least time without a change, ms: a younger claim may be about to get its workflow. */
const QUIET_MS = 20_000;

const PAGE = 100;

/** A submitted one may wait for its timer. */
const INFORMED_BY: Readonly<Record<ClaimState, keyof ClaimWaker>> = {
  issued: 'start',
  submitted: 'wake',
  relaying: 'start',
  killing: 'start',
  relayed: 'start',
  finalized: 'start',
  not_landed: 'start',
  refused: 'start',
  expired: 'start',
};

export function createClaimJanitorActivities({ db, starter, logger }: ClaimJanitorDeps) {
  return {
    /**
     * Gives every open claim an informed workflow: it may have been terminated, lost, never started, or not signalled
     * because the API stopped. Claims of wallets without the Fee Key expire without one. Returns the number found.
     */
    async startMissingClaims(): Promise<number> {
      await claims.expireUnheld(db);
      await claims.discardExpired(db);
      const open = await everyUntended(db);
      for (const { intentId, mint, wallet, state } of open) {
        await starter[INFORMED_BY[state]](intentId);
        logger.info({ intentId, mint, wallet, state, workflowId: `claim-${intentId}` }, 'open claim has a workflow');
      }
      return open.length;
    },
  };
}

/** Reads all pages: stuck claims never hide the others. */
async function everyUntended(db: Db): Promise<ClaimIntent[]> {
  const untended: ClaimIntent[] = [];
  for (;;) {
    const page = await claims.idle(db, QUIET_MS, untended.at(-1)?.intentId ?? null, PAGE);
    untended.push(...page);
    if (page.length < PAGE) return untended;
  }
}
