import { findRewardTotals, type TokenRewards } from '../../db/reward/reward-reads.ts';
import { AppError } from '../../domain/errors.ts';
import { amountAnswer } from '../answers/amounts.ts';
import { countedQuote } from '../answers/quotes.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { MintParamsSchema } from '../schemas/parameters.ts';
import { toTotalsAnswer } from './reward-answer.ts';
import { type TokenRewardsAnswer, TokenRewardsSchema } from './rewards.schema.ts';

const schema = {
  tags: ['Data'],
  operationId: 'getTokenRewards',
  summary: 'Holder rewards of a token',
  description:
    'What the holders of a reward coin were paid in all, in its quote token: finalized payouts only. A standard launch answers ' +
    '`mode: "standard"` and `rewards: null`.',
  params: MintParamsSchema,
  response: responses(TokenRewardsSchema),
};

/** Rounds are hourly; a payout shows within seconds. */
const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 500 };

/** `GET /tokens/{mint}/rewards`: distribution totals of one token. */
export function tokenRewardsGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async (mint: string) => {
    const totals = await findRewardTotals(db, mint);
    if (!totals) throw new AppError('not_found', `no token with mint ${mint} was launched here`);
    return { data: rewardsAnswer(totals) };
  });
  app.get('/tokens/:mint/rewards', { schema }, async (request, reply) =>
    cache.send(request, reply, request.params.mint),
  );
}

function rewardsAnswer(totals: TokenRewards): TokenRewardsAnswer {
  const { mint, mode, rewardTaxBps, quoteDecimals, undistributedRaw } = totals;
  if (rewardTaxBps === null) {
    return { mint, mode, message: 'a standard launch pays no holder rewards', rewards: null };
  }
  return {
    mint,
    mode,
    quote: countedQuote(totals),
    rewards: {
      ...toTotalsAnswer(totals),
      ...amountAnswer('undistributed', undistributedRaw, quoteDecimals),
      transferFee: { bps: rewardTaxBps },
    },
    base: null,
  };
}
