import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

/** What is followed: a row of the database that a workflow works on. */
export interface Followed<Row> {
  /** As it was when it was last read. */
  readonly row: Row;
  /** Whether the workflow still has something to tell about it. */
  readonly isOpen: (row: Row) => boolean;
  /** Starts the workflow or finds it, and waits for its end for at most so many ms. */
  readonly outcome: (waitMs: number) => Promise<unknown>;
  /** Reads the row again; null where it is gone. */
  readonly read: () => Promise<Row | null>;
  /** Longest wait in all, in ms. */
  readonly waitMs: number;
  readonly log: FastifyBaseLogger;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Waits for how something ends and answers what the database says of it then. A fault of Temporal or of the database ends
 * nothing: what was taken in can land at any moment, and a workflow that did not start would have to wait for the janitor
 * while the payment's blockhash runs out. So it is asked again until the wait is over; then the last known row is the answer.
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
