import Type from 'typebox';
import { listDistributions, listRewardTotals, rewardOverview } from '../../db/reward/reward-reads.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter } from '../schemas/parameters.ts';
import { toDistributionAnswer, toTotalsAnswer } from './reward-answer.ts';

const RewardsQuerySchema = Type.Object({ ...limitParameter }, { additionalProperties: false });

const schema = {
  tags: ['Data'],
  summary: 'Rewards overview',
  description:
    'Lifetime totals of the reward coins whose holders were paid most, and the last transactions that paid holders. `limit` ' +
    'holds for each of the two lists; `totals` is of all reward coins.',
  querystring: RewardsQuerySchema,
  response: responses(),
};

const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 30, entries: 100 };

/** `GET /rewards`: what holders of reward coins were paid. */
export function rewardsGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async (limit: number) => {
    const [totals, coins, distributions] = await Promise.all([
      rewardOverview(db),
      listRewardTotals(db, limit),
      listDistributions(db, limit),
    ]);
    const tokens = coins.map((coin) => {
      const { mint, name, symbol } = coin;
      return { mint, name, symbol, ...toTotalsAnswer(coin) };
    });
    return {
      data: { totals, tokens, distributions: distributions.map(toDistributionAnswer) },
      list: { total: totals.coins },
    };
  });
  app.get('/rewards', { schema }, async (request, reply) => cache.send(request, reply, request.query.limit));
}
