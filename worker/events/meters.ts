import type { Metric } from 'prom-client';
import { heldBackSeconds } from '../../db/events/event-days.ts';
import { webhookLags } from '../../db/events/webhook-lag.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

export function createEventMeters({ db, now, logger }: Pick<Shared, 'db' | 'now' | 'logger'>): readonly Metric[] {
  const heldBack = createReadGauge(logger, {
    name: 'slipway_events_held_back_seconds',
    help: 'For how long the oldest event has been held back from readers by an older transaction that is still open; 0 where none is',
    read: () => heldBackSeconds(db),
  });
  const behind = createReadGauge(logger, {
    name: 'slipway_webhook_behind_seconds',
    help: 'Age of the oldest event that a webhook endpoint has not taken, paused ones included; 0 where there is none',
    labelNames: ['endpoint'],
    read: async () =>
      (await webhookLags(db)).map(({ endpoint, oldest }) => ({
        labels: { endpoint: endpoint.id },
        value: oldest === null ? 0 : Math.max(0, (now().getTime() - oldest.getTime()) / 1_000),
      })),
  });
  return [heldBack, behind];
}
