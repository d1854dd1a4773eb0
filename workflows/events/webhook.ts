import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/events/webhooks.ts';
import { WEBHOOKS_TASK_QUEUE } from '../task-queues.ts';
import type { WebhookInput } from './messages.ts';

const { deliverWebhooks } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_TASK_QUEUE,
  startToCloseTimeout: '2 minutes',
  // A try lasts at most 20 s.
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Keeps a run's history short. */
const TURNS = 200;

/**
 * Delivers what lies behind an endpoint's cursor, in order. It ends when nothing is left or a delivery failed: the
 * worker starts it with the next event or try. Cursor, failures and secret are in the database.
 */
export async function webhook(input: WebhookInput): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    if ((await deliverWebhooks(input.endpointId)) === 'end') return;
  }
  await continueAsNew<typeof webhook>(input);
}
