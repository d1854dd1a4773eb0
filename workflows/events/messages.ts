import type { Client } from '@temporalio/client';
import type { TestedWebhook } from '../../activities/events/webhooks.ts';
import { IF_ABSENT } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

export interface WebhookInput {
  readonly endpointId: string;
}

export function webhookWorkflowId(endpointId: string): string {
  return `webhook-${endpointId}`;
}

/** Starts the deliveries of an endpoint if they do not run. */
export async function startWebhook(client: Client, endpointId: string): Promise<void> {
  const args: [WebhookInput] = [{ endpointId }];
  const start = { ...IF_ABSENT, workflowId: webhookWorkflowId(endpointId), taskQueue: ROUNDS_TASK_QUEUE, args };
  await client.workflow.start('webhook', start);
}

/** Sends a test message; waits for the receiver's response. */
export function testWebhook(client: Client, endpointId: string, id: string): Promise<TestedWebhook> {
  type WebhookTest = (input: WebhookInput) => Promise<TestedWebhook>;
  return client.workflow.execute<WebhookTest>('webhookTest', {
    workflowId: `webhook-test-${id}`,
    taskQueue: ROUNDS_TASK_QUEUE,
    args: [{ endpointId }],
    workflowExecutionTimeout: '1 minute',
  });
}
