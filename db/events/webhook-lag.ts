import type { Db } from '../connect.ts';
import { LostPlaceError, readAfter } from './event-log.ts';
import * as endpoints from './webhook-endpoints.ts';
import type { WebhookEndpoint } from './webhook-endpoints.ts';

export interface WebhookLag {
  readonly endpoint: WebhookEndpoint;
  /** Of the oldest event that was not delivered; null without one. */
  readonly oldest: Date | null;
}

/** Lists all endpoints with the oldest event that waits for them. */
export async function webhookLags(db: Db): Promise<WebhookLag[]> {
  const known = await endpoints.list(db);
  return Promise.all(known.map(async (endpoint) => ({ endpoint, oldest: await oldestBehind(db, endpoint) })));
}

async function oldestBehind(db: Db, { place, filter, createdAt }: WebhookEndpoint): Promise<Date | null> {
  try {
    const { events } = await readAfter(db, place, filter, 1);
    return events[0]?.at ?? null;
  } catch (error) {
    // Its cursor is too old: it may have missed events since it exists.
    if (error instanceof LostPlaceError) return createdAt;
    throw error;
  }
}
