import Type, { type Static } from 'typebox';
import * as burns from '../../db/burns.ts';
import { buybackTotals, listBuybacks } from '../../db/buyback/buyback-reads.ts';
import * as feeHarvests from '../../db/fee-sweep/fee-harvests.ts';
import * as revenue from '../../db/revenue.ts';
import { BURN_KINDS } from '../../domain/burn.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter } from '../schemas/parameters.ts';
import { burnAnswer, burnTotals, buybackAnswer, harvestAnswer, revenueTotals } from './revenue-answer.ts';
import { type RevenueAnswer, RevenueSchema } from './revenue.schema.ts';

const RevenueQuerySchema = Type.Object(limitParameter, { additionalProperties: false });

const schema = {
  tags: ['Data'],
  operationId: 'getRevenue',
  summary: 'Fee revenue, buybacks and burns',
  description:
    'Fees that the platform’s positions brought to its treasury, valued when they were claimed; the share for buybacks and the ' +
    'part spent on them; burns. Totals, and the newest of each first. Fees of creators and of reward holders are not in it.',
  querystring: RevenueQuerySchema,
  response: responses(RevenueSchema),
};

/** Sweeps are hourly. */
const LIFE: ReadLife = { memorySeconds: 2, seconds: 5, staleSeconds: 25, entries: 100 };

export function revenueGet(app: ApiInstance, deps: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ limit }: Static<typeof RevenueQuerySchema>) => ({
    data: await readRevenue(deps, limit),
  }));
  app.get('/revenue', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}

async function readRevenue({ reads, config }: ApiDeps, limit: number): Promise<RevenueAnswer> {
  const [totals, bought, burned, buybacks, harvests, recentBurns] = await Promise.all([
    revenue.totals(reads),
    buybackTotals(reads),
    burns.all(reads),
    listBuybacks(reads, limit),
    feeHarvests.newest(reads, limit),
    burns.newest(reads, BURN_KINDS, limit),
  ]);
  const isBought = config.platformToken !== null;
  return {
    revenue: revenueTotals(totals, bought),
    burns: burnTotals(burned),
    config: { buybacksEnabled: isBought, buybackBurnEnabled: isBought },
    recentBuybacks: buybacks.map(buybackAnswer),
    recentHarvests: harvests.map(harvestAnswer),
    recentBurns: recentBurns.map(burnAnswer),
  };
}
