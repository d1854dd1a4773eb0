import Type, { type Static } from 'typebox';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { address, record } from '../answers/fields.ts';
import { countedQuote, CountedQuoteSchema } from '../answers/quotes.ts';
import { readStatement, statementFields } from '../answers/statements.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitParameter, MintParamsSchema } from '../schemas/parameters.ts';
import { requireTradedToken } from '../tokens/traded-token.ts';

const QuerySchema = Type.Object({ ...limitParameter, ...cursorParameter }, { additionalProperties: false });

const PotStatementSchema = record({
  mint: address('Mint'),
  pot: address('The wallet that holds the rewards of this coin alone'),
  quote: CountedQuoteSchema,
  ...statementFields,
});

const schema = {
  tags: ['Data'],
  operationId: 'getRewardStatement',
  summary: 'Statement of a reward coin’s pot',
  description:
    'Every movement of the pot with its transaction: what came in is what left and what is held, to the unit. Rows are only ' +
    'ever added, so a full page never changes. `slipway verify statement` compares it with the chain. 404 before the pot is in ' +
    'use, and for a standard launch.',
  params: MintParamsSchema,
  querystring: QuerySchema,
  response: responses(PotStatementSchema),
};

const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 500 };

type Input = Static<typeof QuerySchema> & Static<typeof MintParamsSchema>;

/** `GET /tokens/{mint}/rewards/statement` */
export function rewardStatementGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, limit, cursor }: Input) => {
    const token = await requireTradedToken(db, mint);
    const rewards = await rewardTokens.byMint(db, mint);
    if (!rewards) throw new AppError('not_found', `${mint} has no pot yet`);
    const { pot } = rewards;
    const { decimals, quoteDecimals } = token;
    const statement = await readStatement({ reads: db, db }, { account: pot, limit, cursor, decimals, quoteDecimals });
    const data: Static<typeof PotStatementSchema> = { mint, pot, quote: countedQuote(token), ...statement };
    return { data };
  });
  app.get('/tokens/:mint/rewards/statement', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}
