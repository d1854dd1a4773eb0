import Type, { type Static } from 'typebox';
import type { Db } from '../../db/connect.ts';
import { listDistributions, listRewardTotals } from '../../db/reward/reward-reads.ts';
import { pageOf } from '../answers/pages.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitParameter, TimestampSchema } from '../schemas/parameters.ts';
import { fromCursor, toCursor } from './distribution-cursor.ts';
import { toCoinAnswer, toDistributionAnswer } from './reward-answer.ts';
import { RewardsSchema } from './rewards.schema.ts';

const RewardsQuerySchema = Type.Object(
  {
    ...limitParameter,
    since: Type.Optional({
      ...TimestampSchema,
      description: 'Only what was paid at or after this time, ISO 8601 with a time zone',
    }),
    ...cursorParameter,
  },
  { additionalProperties: false },
);

type RewardsQuery = Static<typeof RewardsQuerySchema>;

const schema = {
  tags: ['Data'],
  operationId: 'getRewards',
  summary: 'Rewards overview',
  description:
    'Lifetime totals of every reward coin that has paid its holders, and the last transactions that did. `limit` holds for ' +
    'the transactions; page through older ones with `cursor`, which answers no totals again. With `since` only coins and ' +
    'transactions that paid since then: poll with the time of the newest row known, less some minutes, because a transaction ' +
    'shows once it is final.',
  querystring: RewardsQuerySchema,
  response: responses(RewardsSchema),
};

const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 100 };

export function rewardsGet(app: ApiInstance, { reads }: ApiDeps): void {
  const cache = createReadCache(LIFE, async (query: RewardsQuery) => ({ data: await overview(reads, query) }));
  app.get('/rewards', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}

async function overview(db: Db, query: RewardsQuery): Promise<Static<typeof RewardsSchema>> {
  const { limit } = query;
  const since = query.since === undefined ? null : new Date(query.since);
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const [coins, rows] = await Promise.all([
    after === null ? listRewardTotals(db, since) : [],
    listDistributions(db, { since, after }, limit + 1),
  ]);
  const { rows: distributions, pagination } = pageOf(rows, limit, toCursor);
  return {
    launches: coins.map(toCoinAnswer),
    recentDistributions: distributions.map(toDistributionAnswer),
    baseDistributions: [],
    recentBaseDistributions: [],
    pagination,
  };
}
