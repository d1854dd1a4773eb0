import { findRewardTotals, type TokenRewards } from '../../db/reward/reward-reads.ts';
import * as pairs from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import { AppError } from '../../domain/errors.ts';
import { amountAnswer } from '../answers/amounts.ts';
import { countedQuote } from '../answers/quotes.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { MintParamsSchema } from '../schemas/parameters.ts';
import { freshPrice } from '../pairs/fresh-price.ts';
import { pendingRewards } from './pending-rewards.ts';
import { toTotalsAnswer } from './reward-answer.ts';
import { type TokenRewardsAnswer, TokenRewardsSchema } from './rewards.schema.ts';

const schema = {
  tags: ['Data'],
  operationId: 'getTokenRewards',
  summary: 'Holder rewards of a token',
  description:
    'Total payouts to the holders of a reward coin, in its quote token: finalized payouts only. A standard launch answers ' +
    '`mode: "standard"` and `rewards: null`.',
  params: MintParamsSchema,
  response: responses(TokenRewardsSchema),
};

/** Hourly; a payout shows within seconds. */
const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 500 };

export function tokenRewardsGet(app: ApiInstance, deps: ApiDeps): void {
  const cache = createReadCache(LIFE, async (mint: string) => {
    const totals = await findRewardTotals(deps.db, mint);
    if (!totals) throw new AppError('not_found', `no token with mint ${mint} was launched here`);
    return { data: await rewardsAnswer(deps, totals) };
  });
  app.get('/tokens/:mint/rewards', { schema }, async (request, reply) =>
    cache.send(request, reply, request.params.mint),
  );
}

async function rewardsAnswer(deps: ApiDeps, totals: TokenRewards): Promise<TokenRewardsAnswer> {
  const { mint, mode, rewardTaxBps, quoteDecimals, undistributedRaw } = totals;
  if (rewardTaxBps === null) {
    return { mint, mode, message: 'a standard launch pays no holder rewards', rewards: null };
  }
  const pending = pendingRewards(totals, rewardTaxBps, {
    rules: deps.config.rewardRules,
    quoteUsd: await quotePrice(deps, totals.quoteMint),
  });
  return {
    mint,
    mode,
    quote: countedQuote(totals),
    rewards: {
      ...toTotalsAnswer(totals),
      ...amountAnswer('undistributed', undistributedRaw, quoteDecimals),
      transferFee: { bps: rewardTaxBps },
      pending,
      ...pending,
    },
    base: null,
  };
}

/** Price as in `/pairs`; null without a fresh one. */
async function quotePrice({ db, now }: ApiDeps, quoteMint: string): Promise<string | null> {
  const [pair, observed] = await Promise.all([pairs.byMint(db, quoteMint), prices.latest(db, quoteMint)]);
  return pair && freshPrice(pair, observed ?? undefined, now());
}
