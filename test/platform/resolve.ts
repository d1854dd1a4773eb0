import type { Prepared } from './creator.ts';
import { eventually } from './eventually.ts';
import type { Platform } from './platform.ts';

/** Decides as the CLI does, once the workflow itself knows that it is parked. Rejects when the decision is refused. */
export async function resolve(
  { client }: Platform,
  { quoteId }: Prepared,
  action: string,
  note = 'decided in a test',
): Promise<void> {
  const handle = client.workflow.getHandle(`launch-${quoteId}`);
  await eventually(async () => (await handle.query('state')) === 'needs_recovery' || null);
  await handle.executeUpdate('resolve', { args: [{ action, note, actor: 'tester' }] });
}
