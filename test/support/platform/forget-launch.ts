import { sql } from 'kysely';
import { launchWorkflowId } from '../../../workflows/launch/messages.ts';
import { eventually } from './eventually.ts';
import type { Platform } from './platform.ts';
import { restored } from './restored.ts';

/** Removes everything that the database knows of a launch, as a restore would. */
export async function forgetLaunch(
  { db }: Pick<Platform, 'db'>,
  { quoteId, mint }: { readonly quoteId: string; readonly mint: string },
): Promise<void> {
  await restored(db, async (tx) => {
    await sql`delete from positions where mint = ${mint}`.execute(tx);
    await sql`delete from tokens where mint = ${mint}`.execute(tx);
    await sql`delete from chain_transactions where purpose like ${`%/${quoteId}%`}`.execute(tx);
    for (const table of ['launch_signatures', 'launch_state_history', 'launch_logos', 'launches']) {
      await sql`delete from ${sql.table(table)} where quote_id = ${quoteId}`.execute(tx);
    }
  });
}

/** Removes what Temporal knows of a launch, as the end of the namespace's retention would. */
export async function forgetWorkflow(platform: Platform, { quoteId }: { readonly quoteId: string }): Promise<void> {
  const workflowId = launchWorkflowId(quoteId);
  await platform.client.workflowService.deleteWorkflowExecution({
    namespace: platform.temporal.namespace,
    workflowExecution: { workflowId },
  });
  await eventually(async () => {
    try {
      await platform.client.workflow.getHandle(workflowId).describe();
      return null;
    } catch {
      return true;
    }
  }, `workflow ${workflowId} deleted`);
}
