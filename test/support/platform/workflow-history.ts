import { launchWorkflowId } from '../../../workflows/launch/messages.ts';
import { historyToJson } from '../../../dev/history-json.ts';
import { eventually } from './eventually.ts';
import type { Platform } from './platform.ts';

/** A launch, as far as finding its workflow goes. */
type Named = { readonly quoteId: string };

/** What Temporal shows of a launch's workflow. */
export function describeWorkflow({ client }: Pick<Platform, 'client'>, { quoteId }: Named) {
  return client.workflow.getHandle(launchWorkflowId(quoteId)).describe();
}

/** The same, once the workflow has come to its end. */
export function untilWorkflowEnded(platform: Platform, launch: Named) {
  return eventually(async () => {
    const description = await describeWorkflow(platform, launch);
    return description.status.name === 'RUNNING' ? null : description;
  }, `end of the workflow of launch ${launch.quoteId}`);
}

/** The history of a launch's workflow in one text, every payload decoded, as an operator reads it in the UI. */
export async function historyText({ client }: Platform, { quoteId }: Named): Promise<string> {
  const history = await client.workflow.getHandle(launchWorkflowId(quoteId)).fetchHistory();
  return JSON.stringify(historyToJson(history), (key, value: unknown) =>
    key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : value,
  );
}

/** Search attributes of a described workflow by name. */
export function attributesOf({ typedSearchAttributes }: Awaited<ReturnType<typeof describeWorkflow>>) {
  return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
}
