import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { createLaunchRepository } from '../db/launches.ts';
import type { LaunchRecord } from '../db/records.ts';

/** What the janitor uses from outside. */
export interface JanitorDeps {
  readonly db: Db;
  /** Starts the workflow of a launch; does nothing where one runs. */
  readonly startLaunch: (quoteId: string) => Promise<void>;
  readonly now: () => Date;
  readonly logger: Logger;
}

export type JanitorActivities = ReturnType<typeof createJanitorActivities>;

/** A launch that nothing touched for this long should have a workflow; a young one may be just about to get it, in ms. */
const UNTOUCHED_MS = 20_000;

/** Parked launches read at once. */
const PAGE = 100;

/** Work that keeps every open launch in somebody's hands. */
export function createJanitorActivities({ db, startLaunch, now, logger }: JanitorDeps) {
  return {
    /**
     * Makes sure that every open launch has a workflow: one whose start failed after its intake was committed, or whose
     * workflow was terminated or lost with its namespace. Answers how many launches were looked at.
     */
    async startMissingLaunches(): Promise<number> {
      const open = await createLaunchRepository(db).openLaunches(new Date(now().getTime() - UNTOUCHED_MS));
      const parked = await everyParked(db);
      for (const { quoteId, mint, state } of [...open, ...parked]) {
        await startLaunch(quoteId);
        logger.info({ quoteId, mint, state, workflowId: `launch-${quoteId}` }, 'open launch has a workflow');
      }
      return open.length + parked.length;
    },
  };
}

/** All parked launches: counted apart, so that however many wait for an operator, those that can go on are seen. */
async function everyParked(db: Db): Promise<LaunchRecord[]> {
  const parked: LaunchRecord[] = [];
  for (;;) {
    const page = await createLaunchRepository(db).parkedLaunches(parked.at(-1)?.quoteId ?? null, PAGE);
    parked.push(...page);
    if (page.length < PAGE) return parked;
  }
}
