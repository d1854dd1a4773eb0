import Type, { type Static } from 'typebox';
import { listDistributions, listRewardTotals } from '../../db/reward/reward-reads.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter } from '../schemas/parameters.ts';
import { toCoinAnswer, toDistributionAnswer } from './reward-answer.ts';
import { RewardsSchema } from './rewards.schema.ts';

const RewardsQuerySchema = Type.Object({ ...limitParameter }, { additionalProperties: false });

const schema = {
  tags: ['Data'],
  operationId: 'getRewards',
  summary: 'Rewards overview',
  description:
    'Lifetime totals of every reward coin that has paid its holders, and the last transactions that did. `limit` holds for ' +
    'the transactions.',
  querystring: RewardsQuerySchema,
  response: responses(RewardsSchema),
};

const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 100 };

/** `GET /rewards`: what holders of reward coins were paid. */
export function rewardsGet(app: ApiInstance, { reads }: ApiDeps): void {
  const cache = createReadCache(LIFE, async (limit: number) => {
    const [coins, distributions] = await Promise.all([listRewardTotals(reads), listDistributions(reads, limit)]);
    const data: Static<typeof RewardsSchema> = {
      launches: coins.map(toCoinAnswer),
      recentDistributions: distributions.map(toDistributionAnswer),
      baseDistributions: [],
      recentBaseDistributions: [],
    };
    return { data };
  });
  app.get('/rewards', { schema }, async (request, reply) => cache.send(request, reply, request.query.limit));
}
