import Type, { type Static } from 'typebox';
import * as rewardRecord from '../../db/reward/reward-record.ts';
import { AppError } from '../../domain/errors.ts';
import { amountAnswer } from '../answers/amounts.ts';
import { readPage } from '../answers/pages.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema, pageParameters } from '../schemas/parameters.ts';
import { requireTradedToken } from '../tokens/traded-token.ts';
import { LeftOutSchema } from './rounds.schema.ts';

const LeftOutQuerySchema = Type.Object({ ...pageParameters }, { additionalProperties: false });

const RoundParamsSchema = Type.Object(
  {
    mint: AddressSchema,
    number: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Number of the round, from 1' }),
  },
  { additionalProperties: false },
);

const schema = {
  tags: ['Data'],
  operationId: 'getRewardLeftOut',
  summary: 'Holders who got nothing of a reward round, and why',
  description:
    'Every owner that held the minimum at one observation at least and was not paid, with the reason. Those who held less all ' +
    'the time are counted only (`belowMinimum` of the round), and of a crowd the 5,000 are named that held most. Whose account ' +
    'did not take their payout joins when its transaction is final.',
  params: RoundParamsSchema,
  querystring: LeftOutQuerySchema,
  response: responses(LeftOutSchema),
};

/** Written once, except rows of accounts that accept no payout. */
const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 500 };

type LeftOutInput = Static<typeof LeftOutQuerySchema> & Static<typeof RoundParamsSchema>;

export function leftOutGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, number, page, pageSize }: LeftOutInput) => {
    const { decimals } = await requireTradedToken(db, mint);
    const roundId = await rewardRecord.roundId(db, mint, number);
    if (roundId === null) throw new AppError('not_found', `${mint} has no reward round ${number} to show`);
    const { rows, pagination } = await readPage(
      { page, pageSize },
      {
        count: () => rewardRecord.countLeftOut(db, roundId),
        list: (paging) => rewardRecord.leftOut(db, roundId, paging),
      },
    );
    const leftOut = rows.map(({ owner, reason, balanceRaw }) => ({
      owner,
      reason,
      ...amountAnswer('held', balanceRaw, decimals),
    }));
    const data: Static<typeof LeftOutSchema> = { mint, number, leftOut, pagination };
    return { data };
  });
  app.get('/tokens/:mint/rewards/rounds/:number/left-out', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}
