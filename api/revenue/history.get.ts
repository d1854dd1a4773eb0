import Type, { type Static } from 'typebox';
import { buybackTotals, type SpentDay, spentDays } from '../../db/buyback/buyback-reads.ts';
import * as revenue from '../../db/revenue.ts';
import type { RevenueDay } from '../../db/revenue.ts';
import { networkOf } from '../../domain/network.ts';
import { utcDay, utcDaysFrom } from '../../domain/utc-days.ts';
import { count, figure, NetworkSchema, record } from '../answers/fields.ts';
import { toNumber } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';

const day = (description: string) => Type.String({ format: 'date', description });

const DaySchema = record({
  date: day('UTC day'),
  dailyRevenue: figure('Quote-token fees claimed to the treasury, valued when they were claimed'),
  dailyHoldersRevenue: figure(
    'The share of it that is set aside to buy the platform token back and burn it; it may be spent on a later day',
  ),
  dailyProtocolRevenue: figure('The rest'),
  dailyHoldersSpent: figure('Paid for the platform token that day, at the prices of planning'),
});

export const RevenueHistorySchema = record({
  network: NetworkSchema,
  unit: Type.Literal('USD'),
  start: day('The first day'),
  source: Type.Literal('ledger', { description: 'Where the figures come from' }),
  coverage: record(
    {
      revenueRows: count('Entries of revenue'),
      revenueRowsUnpriced: count('Those of them without a price'),
      buybackRows: count('Purchases of the platform token'),
      buybackRowsUnpriced: count('Those of them without a price'),
    },
    'Entries without a price count as zero',
  ),
  days: Type.Array(DaySchema, { description: 'Every UTC day from `start` to today, the oldest first' }),
});

const schema = {
  tags: ['Data'],
  operationId: 'getRevenueHistory',
  summary: 'Daily revenue series',
  description:
    'The whole daily history in USD, an entry for each UTC day from the first to today, also for days without revenue. Fees of ' +
    'creators and of reward holders are not in it.',
  response: responses(RevenueHistorySchema),
};

/** A few entries an hour. */
const LIFE: ReadLife = { memorySeconds: 2, seconds: 10, staleSeconds: 20, entries: 1 };

/** Every UTC day. */
export function revenueHistoryGet(app: ApiInstance, { reads, now, launching }: ApiDeps): void {
  const network = networkOf(launching.scope.genesisHash);
  const cache = createReadCache(LIFE, async () => {
    const [start, known, bought, spent] = await Promise.all([
      revenue.firstDay(reads),
      revenue.days(reads),
      buybackTotals(reads),
      spentDays(reads),
    ]);
    const data: Static<typeof RevenueHistorySchema> = {
      network,
      unit: 'USD',
      start,
      source: 'ledger',
      coverage: {
        revenueRows: known.reduce((sum, { harvests }) => sum + harvests, 0),
        revenueRowsUnpriced: known.reduce((sum, { unpriced }) => sum + unpriced, 0),
        buybackRows: bought.buybacks,
        buybackRowsUnpriced: bought.unpriced,
      },
      days: daysAnswer(start, known, spent, utcDay(now())),
    };
    return { data };
  });
  app.get('/revenue/history', { schema }, async (request, reply) => cache.send(request, reply, {}));
}

const NOTHING = { revenueUsd: '0', buybackUsd: '0', protocolUsd: '0' };

function daysAnswer(
  start: string,
  known: readonly RevenueDay[],
  spent: readonly SpentDay[],
  today: string,
): Static<typeof DaySchema>[] {
  const spentOn = new Map(spent.map(({ day, spentUsd }) => [day, spentUsd]));
  const byDay = new Map(known.map((one) => [one.day, one]));
  // A harvest or a purchase may belong to a day that has not begun here.
  const last = [today, known.at(-1)?.day ?? today, spent.at(-1)?.day ?? today].sort().at(-1) ?? today;
  return utcDaysFrom(start, last).map((date) => {
    const { revenueUsd, buybackUsd, protocolUsd } = byDay.get(date) ?? NOTHING;
    return {
      date,
      dailyRevenue: toNumber(revenueUsd),
      dailyHoldersRevenue: toNumber(buybackUsd),
      dailyProtocolRevenue: toNumber(protocolUsd),
      dailyHoldersSpent: toNumber(spentOn.get(date) ?? '0'),
    };
  });
}
