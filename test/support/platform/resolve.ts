import { WorkflowUpdateFailedError } from '@temporalio/client';
import { standingOf } from '../../../db/launch/launch-standing.ts';
import type { Prepared } from './creator.ts';
import { eventually } from './eventually.ts';
import type { Platform } from './platform.ts';

/** How a decision differs from the usual one. */
export interface ResolveOptions {
  readonly note?: string;
  /** Which parking it is about; default: the newest one in the database. */
  readonly parking?: number;
}

/**
 * Decides as the CLI does, once the workflow itself knows that it is parked and has carried out what was decided before.
 * Rejects when the decision is refused.
 */
export async function resolve(
  { client, db }: Platform,
  { quoteId }: Prepared,
  action: string,
  { note = 'decided in a test', parking }: ResolveOptions = {},
): Promise<void> {
  const handle = client.workflow.getHandle(`launch-${quoteId}`);
  await eventually(async () => {
    if ((await handle.query('state')) !== 'needs_recovery') return null;
    const seen = parking ?? (await standingOf(db, quoteId))?.parking;
    return handle.executeUpdate('resolve', { args: [{ action, parking: seen, note, actor: 'tester' }] }).then(
      () => true,
      (error: unknown) => retryWhileUndecided(error, parking === undefined),
    );
  });
}

/** The workflow carries out an earlier decision, and has not seen the newest parking before that is over. */
function retryWhileUndecided(error: unknown, isNewest: boolean): null {
  const message = error instanceof WorkflowUpdateFailedError ? (error.cause?.message ?? '') : '';
  if (message.includes('is being carried out') || (isNewest && message.startsWith('it is about parking'))) return null;
  throw error;
}
