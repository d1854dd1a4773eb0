import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { endLongTransactions } from '../db/long-transactions.ts';
import { pause } from '../domain/pause.ts';

/** Longest transaction of another role, in seconds: beyond the limits that each process sets for itself. */
const MOST_SECONDS = 60;

const EVERY_MS = 15_000;

/** Ends transactions that the API's role holds open, until `signal`: a stranger who took it over could lift its limits. */
export async function keepTransactionsShort(
  { db, logger }: { readonly db: Db; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  while (await pause(EVERY_MS, signal)) {
    try {
      const ended = await endLongTransactions(db, MOST_SECONDS);
      if (ended.length > 0) logger.warn({ ended }, `ended sessions whose transaction was open for ${MOST_SECONDS} s`);
    } catch (error) {
      logger.warn({ err: error }, 'long transactions of other roles could not be ended');
    }
  }
}
