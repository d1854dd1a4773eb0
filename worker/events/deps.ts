import type { WebhookDeps } from '../../activities/events/webhooks.ts';
import { createPostWebhook } from '../../chain/http/post-webhook.ts';
import { createPublicAgent } from '../../chain/http/public-agent.ts';
import { webhookKeys } from '../../chain/keys/webhook-key.ts';
import { startWebhook } from '../../workflows/events/messages.ts';
import type { Shared } from '../shared.ts';
import type { WebhookKeeperDeps } from './keep-webhooks.ts';

type Parts = Pick<Shared, 'db' | 'logger' | 'now' | 'siteUrl' | 'heartbeat' | 'sleep' | 'config' | 'seeds' | 'context'>;

export function webhookDepsOf({ config, seeds, context, ...shared }: Parts): WebhookDeps {
  const { webhookMs, webhookLoopback } = config.events;
  const agent = createPublicAgent({ connectMs: webhookMs, loopback: webhookLoopback });
  return {
    ...shared,
    post: createPostWebhook(agent, webhookMs),
    platform: webhookKeys(seeds, context).map(({ sign }) => sign),
  };
}

export function webhookKeeperOf({
  db,
  logger,
  now,
  client,
}: Pick<Shared, 'db' | 'logger' | 'now' | 'client'>): WebhookKeeperDeps {
  return { db, logger, now, start: (endpointId: string) => startWebhook(client, endpointId) };
}
