import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { Prepared } from './creator.ts';
import { eventually } from './eventually.ts';
import type { Platform } from './platform.ts';

/**
 * Decides as the CLI does, once the workflow itself knows that it is parked and has carried out what was decided before.
 * Rejects when the decision is refused.
 */
export async function resolve(
  { client }: Platform,
  { quoteId }: Prepared,
  action: string,
  note = 'decided in a test',
): Promise<void> {
  const handle = client.workflow.getHandle(`launch-${quoteId}`);
  await eventually(async () => {
    if ((await handle.query('state')) !== 'needs_recovery') return null;
    return handle.executeUpdate('resolve', { args: [{ action, note, actor: 'tester' }] }).then(
      () => true,
      (error: unknown) => retryAfterEarlierDecision(error),
    );
  });
}

function retryAfterEarlierDecision(error: unknown): null {
  if (error instanceof WorkflowUpdateFailedError && error.cause?.message.includes('is being carried out')) return null;
  throw error;
}
