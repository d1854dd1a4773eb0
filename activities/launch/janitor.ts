import type { Logger } from 'pino';
import type { Db } from '../../db/connect.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import * as lateQuotes from '../../db/launch/late-quotes.ts';
import * as launches from '../../db/launch/launches.ts';
import { discardNotLanded, discardUnusedAddresses, forgetUnpaidClients } from '../../db/launch/discard.ts';
import * as eventDays from '../../db/events/event-days.ts';
import { discardEndedCounters } from '../../db/rate-counters.ts';
import * as receipts from '../../db/launch/receipts.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';

export interface LaunchJanitorDeps {
  readonly db: Db;
  /** Does nothing if it runs. */
  readonly startLaunch: (quoteId: string) => Promise<void>;
  /** Does nothing if it runs. */
  readonly startAirdrop: (quoteId: string) => Promise<void>;
  readonly now: () => Date;
  /** Days that events are kept. */
  readonly eventDays: number;
  readonly logger: Logger;
  readonly heartbeat: () => void;
  /** Signs a receipt for each settled launch that has none. */
  readonly signReceipts: () => Promise<number>;
}

export type LaunchJanitorActivities = ReturnType<typeof createLaunchJanitorActivities>;

/** A younger launch may be about to get its workflow. */
const UNTOUCHED_MS = 20_000;

const PAGE = 100;

export function createLaunchJanitorActivities({
  db,
  startLaunch,
  startAirdrop,
  now,
  eventDays: keptDays,
  logger,
  heartbeat,
  signReceipts,
}: LaunchJanitorDeps) {
  /**
   * Prepares and drops event days. A failure is harmless: the default table takes the events of a day, and an old day
   * is kept until the next round.
   */
  async function keepEventDays(): Promise<void> {
    try {
      await eventDays.prepare(db);
      const dropped = await eventDays.dropOld(db, keptDays);
      if (dropped > 0) logger.info({ days: dropped }, 'old events are dropped');
    } catch (error) {
      logger.warn({ err: error }, 'the tables of events could not be prepared');
    }
  }
  return {
    /**
     * Gives every open launch a workflow: its start may have failed, or it was terminated or lost. All pages are
     * read, so that stuck launches hide no others. Starts undelivered airdrops too. Then signs missing receipts, and
     * deletes what clients made and nothing needs.
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
      const signed = await signReceipts();
      if (signed > 0) logger.info({ receipts: signed }, 'receipts signed');
      await recipientSets.discardExpired(db);
      await discardUnusedAddresses(db);
      await discardNotLanded(db);
      await lateQuotes.discardOld(db);
      await receipts.discardOld(db);
      await forgetUnpaidClients(db);
      await discardEndedCounters(db);
      await keepEventDays();
      return open + parked;
    },
  };
}

type ReadPage = (afterQuoteId: string | null) => Promise<LaunchRecord[]>;

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
