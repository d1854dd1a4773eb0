import Type, { type Static } from 'typebox';
import * as pairs from '../../db/pairs.ts';
import { AppError } from '../../domain/errors.ts';
import { BUDGETS, budgetAccount } from '../../domain/money/statement.ts';
import { record } from '../answers/fields.ts';
import { countedQuote, CountedQuoteSchema } from '../answers/quotes.ts';
import { readStatement, statementFields } from '../answers/statements.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema, cursorParameter, limitParameter } from '../schemas/parameters.ts';

const BudgetSchema = Type.Enum([...BUDGETS], {
  description:
    '`buyback` buys the platform token, `flywheel` the ranked tokens, both burn them; `revenue` is every harvest of the platform’s positions',
});

const QuerySchema = Type.Object(
  {
    ...limitParameter,
    ...cursorParameter,
    quoteMint: { ...AddressSchema, description: 'Mint of the quote token' },
    budget: Type.Enum([...BUDGETS], { default: 'buyback', description: 'The budget' }),
  },
  { additionalProperties: false },
);

const BudgetStatementSchema = record({ budget: BudgetSchema, quote: CountedQuoteSchema, ...statementFields });

const schema = {
  tags: ['Data'],
  operationId: 'getPlatformStatement',
  summary: 'Statement of a budget of the treasury',
  description:
    'What of the fee revenue in one quote token was set aside for purchases, and what was spent of it, with each transaction: ' +
    'what came in is what left and what is held in the treasury, to the unit. Rows are only ever added, so a full page never ' +
    'changes. The rest of the revenue is the operator’s to spend and not in it.',
  querystring: QuerySchema,
  response: responses(BudgetStatementSchema),
};

const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 100 };

/** `GET /platform/statement` */
export function platformStatementGet(app: ApiInstance, { reads, db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ quoteMint, budget, limit, cursor }: Static<typeof QuerySchema>) => {
    const pair = await pairs.byMint(reads, quoteMint);
    if (!pair) throw new AppError('not_found', `${quoteMint} is not the mint of a pair`);
    const { symbol: quoteSymbol, decimals: quoteDecimals } = pair;
    const account = budgetAccount(budget, quoteMint);
    const statement = await readStatement({ reads, db }, { account, limit, cursor, decimals: 0, quoteDecimals });
    const quote = countedQuote({ quoteMint, quoteSymbol, quoteDecimals });
    const data: Static<typeof BudgetStatementSchema> = { budget, quote, ...statement };
    return { data };
  });
  app.get('/platform/statement', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}
