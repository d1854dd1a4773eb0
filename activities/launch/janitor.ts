import type { Logger } from 'pino';
import type { Db } from '../../db/connect.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as launches from '../../db/launch/launches.ts';
import { discardNotLanded, discardUnusedAddresses, forgetUnpaidClients } from '../../db/launch/discard.ts';
import { discardEndedCounters } from '../../db/rate-counters.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';

/** What the janitor uses from outside. */
export interface LaunchJanitorDeps {
  readonly db: Db;
  /** Starts the workflow of a launch; does nothing where one runs. */
  readonly startLaunch: (quoteId: string) => Promise<void>;
  /** Starts the delivery of a launch's airdrop; does nothing where it runs. */
  readonly startAirdrop: (quoteId: string) => Promise<void>;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Tells Temporal that the activity is alive. */
  readonly heartbeat: () => void;
}

export type LaunchJanitorActivities = ReturnType<typeof createLaunchJanitorActivities>;

/** A launch that nothing touched for this long should have a workflow; a young one may be just about to get it, in ms. */
const UNTOUCHED_MS = 20_000;

/** Launches read at once. */
const PAGE = 100;

/** Work that keeps every open launch in somebody's hands. */
export function createLaunchJanitorActivities({
  db,
  startLaunch,
  startAirdrop,
  now,
  logger,
  heartbeat,
}: LaunchJanitorDeps) {
  return {
    /**
     * Makes sure that every open launch has a workflow: one whose start failed after its intake was committed, or whose
     * workflow was terminated or lost with its namespace. All of them, however many stand still: none hides another.
     * The same for airdrops that are not delivered; and what strangers made and nobody needs is deleted: recipients and addresses that no launch took up, old
     * launches that never were, counters of requests. Answers how many
     * launches were looked at.
     */
    async startMissingLaunches(): Promise<number> {
      const untouchedSince = new Date(now().getTime() - UNTOUCHED_MS);
      const start = async ({ quoteId, mint, state }: LaunchRecord): Promise<void> => {
        heartbeat();
        await startLaunch(quoteId);
        logger.debug({ quoteId, mint, state, workflowId: `launch-${quoteId}` }, 'open launch has a workflow');
      };
      const open = await forEachOf((after) => launches.open(db, untouchedSince, after, PAGE), start);
      const parked = await forEachOf((after) => launches.parked(db, after, PAGE), start);
      for (const quoteId of await airdrops.undelivered(db)) {
        heartbeat();
        await startAirdrop(quoteId);
      }
      await recipientSets.discardExpired(db);
      await discardUnusedAddresses(db);
      await discardNotLanded(db);
      await forgetUnpaidClients(db);
      await discardEndedCounters(db);
      return open + parked;
    },
  };
}

type ReadPage = (afterQuoteId: string | null) => Promise<LaunchRecord[]>;

/** Does something with every launch of a list, page by page; answers how many there were. */
async function forEachOf(read: ReadPage, act: (launch: LaunchRecord) => Promise<void>): Promise<number> {
  let count = 0;
  let after: string | null = null;
  for (;;) {
    const page: LaunchRecord[] = await read(after);
    for (const launch of page) await act(launch);
    count += page.length;
    if (page.length < PAGE) return count;
    after = page.at(-1)?.quoteId ?? null;
  }
}
