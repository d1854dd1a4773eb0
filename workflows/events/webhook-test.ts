import { proxyActivities } from '@temporalio/workflow';
import type { TestedWebhook, WebhookActivities } from '../../activities/events/webhooks.ts';
import { WEBHOOKS_TASK_QUEUE } from '../task-queues.ts';
import type { WebhookInput } from './messages.ts';

const { sendTestWebhook } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_TASK_QUEUE,
  startToCloseTimeout: '30 seconds',
  retry: { maximumAttempts: 2 },
});

/** Sends one message that is no event, and returns how the receiver responded. */
export async function webhookTest({ endpointId }: WebhookInput): Promise<TestedWebhook> {
  return sendTestWebhook(endpointId);
}
