import * as revenue from '../../db/revenue.ts';
import type { RevenueDay } from '../../db/revenue.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';

const schema = {
  tags: ['Data'],
  summary: 'Daily revenue series',
  description:
    'The whole daily history in USD, keyed by UTC day (`YYYY-MM-DD`); days without revenue are left out. `dailyRevenue`: fees in ' +
    'quote tokens claimed to the treasury, valued when they were claimed. `dailyHoldersRevenue`: the share of it that buys the ' +
    'platform token back and burns it. `dailyProtocolRevenue`: the rest. `coverage`: entries without a price, which count as ' +
    'zero, of the day and of all. Fees of creators and of reward holders are not in it.',
  response: responses(),
};

/** A day gets a few entries an hour. */
const LIFE: ReadLife = { memorySeconds: 2, seconds: 10, staleSeconds: 120, entries: 1 };

/** `GET /revenue/history`: revenue of every UTC day. */
export function revenueHistoryGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async () => {
    const days = await revenue.days(db);
    return {
      data: {
        days: Object.fromEntries(days.map((day) => [day.day, dayAnswer(day)])),
        coverage: days.reduce((sum, { unpriced }) => sum + unpriced, 0),
      },
    };
  });
  app.get('/revenue/history', { schema }, async (request, reply) => cache.send(request, reply, {}));
}

function dayAnswer({ revenueUsd, buybackUsd, protocolUsd, unpriced }: RevenueDay) {
  return {
    dailyRevenue: revenueUsd,
    dailyHoldersRevenue: buybackUsd,
    dailyProtocolRevenue: protocolUsd,
    coverage: unpriced,
  };
}
