import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

export interface Followed<Row> {
  readonly row: Row;
  /** The workflow has a further outcome to report. */
  readonly isOpen: (row: Row) => boolean;
  /** Starts or finds the workflow; waits for its end at most `waitMs`. */
  readonly outcome: (waitMs: number) => Promise<unknown>;
  /** Null if the row is gone. */
  readonly read: () => Promise<Row | null>;
  readonly waitMs: number;
  readonly log: FastifyBaseLogger;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Returns the row's final state, through faults of Temporal or the database: an accepted transaction can land at any
 * moment, and a workflow that did not start would wait for the janitor. After the wait, the last known row.
 */
export async function followToEnd<Row>({ row, isOpen, outcome, read, waitMs, log }: Followed<Row>): Promise<Row> {
  const deadline = Date.now() + waitMs;
  let latest = row;
  for (let pause = FIRST_PAUSE_MS; isOpen(latest); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await outcome(deadline - Date.now());
    } catch (error) {
      log.warn({ err: error }, 'no outcome from the workflow yet; answering from the database');
    }
    try {
      latest = (await read()) ?? latest;
    } catch (error) {
      log.error({ err: error }, 'it could not be read again; answering what was known before');
    }
    if (Date.now() + pause >= deadline) break;
    if (isOpen(latest)) await sleep(pause);
  }
  return latest;
}
