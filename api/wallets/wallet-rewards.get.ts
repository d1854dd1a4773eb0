import Type, { type Static } from 'typebox';
import { listDays, listPayouts } from '../../db/reward/wallet-payouts.ts';
import { CursorPaginationSchema, pageOf } from '../answers/pages.ts';
import { address, record } from '../answers/fields.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { alsoCsv } from '../openapi/document.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitUpTo, TimestampSchema } from '../schemas/parameters.ts';
import { createCsvPages } from './csv-pages.ts';
import { fromPayoutCursor, toPayoutCursor } from './list-cursor.ts';
import { dayAnswer, PAYOUT_COLUMNS, payoutAnswer, PayoutSchema, RewardDaySchema } from './wallet-payout-answer.ts';
import { requireWallet, WalletParamsSchema } from './wallet-params.ts';

const MOST_PAYOUTS = 1_000;
const MOST_DAY_ROWS = 1_000;
/** 14 coins with hourly rounds, for 30 days. */
const MOST_SUMMED = 10_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

const RewardsQuerySchema = Type.Object(
  {
    ...limitUpTo(MOST_PAYOUTS, 25, 'Payouts'),
    since: Type.Optional({
      ...TimestampSchema,
      description: 'Only what was paid at or after this time, ISO 8601 with a time zone',
    }),
    ...cursorParameter,
  },
  { additionalProperties: false },
);

const WalletRewardsSchema = record({
  wallet: address('The wallet'),
  days: Type.Array(RewardDaySchema, {
    description:
      `Sums by whole UTC day and coin, newest first: of the last ${USUAL_DAYS} days, or from the day of \`since\` (at most ` +
      `${MOST_DAYS} days back); ${MOST_DAY_ROWS} rows and the newest ${MOST_SUMMED} payments at most; empty on pages after the first`,
  }),
  payouts: Type.Array(PayoutSchema, { description: 'The newest first. A row never changes' }),
  pagination: CursorPaginationSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'getWalletRewards',
  summary: 'Rewards of a wallet',
  description:
    'What the wallet was paid for holding reward coins: each payment with its transaction, which is final, and sums by day and ' +
    'coin. With `Accept: text/csv` the payments of the page as CSV, whose `Link` header leads to the next page.',
  params: WalletParamsSchema,
  querystring: RewardsQuerySchema,
  response: responses(WalletRewardsSchema),
  ...alsoCsv(`The payments of the page, one a line, after a line of the columns: ${PAYOUT_COLUMNS.join(', ')}`),
};

const LIFE = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 500 } satisfies ReadLife;

const MOST_SUMS = { mostPayouts: MOST_SUMMED, mostRows: MOST_DAY_ROWS };

type RewardsInput = Static<typeof RewardsQuerySchema> & Static<typeof WalletParamsSchema>;

export function walletRewardsGet(app: ApiInstance, { reads, now }: ApiDeps): void {
  const pageFor = async ({ wallet, limit, since, cursor }: RewardsInput) => {
    const after = cursor === undefined ? null : fromPayoutCursor(wallet, cursor);
    const filter = { since: since === undefined ? null : new Date(since), after };
    const rows = await listPayouts(reads, wallet, filter, limit + 1);
    return pageOf(rows, limit, (last) => toPayoutCursor(wallet, last));
  };
  const daysFor = async ({ wallet, since, cursor }: RewardsInput) =>
    cursor === undefined ? listDays(reads, wallet, { ...MOST_SUMS, since: firstDay(now(), since) }) : [];
  const cache = createReadCache(LIFE, async (input: RewardsInput) => {
    const [days, { rows, pagination }] = await Promise.all([daysFor(input), pageFor(input)]);
    const data: Static<typeof WalletRewardsSchema> = {
      wallet: input.wallet,
      days: days.map(dayAnswer),
      payouts: rows.map(payoutAnswer),
      pagination,
    };
    return { data };
  });
  const csv = createCsvPages(PAYOUT_COLUMNS, LIFE, async (input: RewardsInput) => {
    const { rows, pagination } = await pageFor(input);
    return { rows: rows.map(payoutAnswer), nextCursor: pagination.nextCursor };
  });
  app.get('/wallets/:wallet/rewards', { schema }, async (request, reply) => {
    const input = { ...request.query, wallet: requireWallet(request.params.wallet) };
    return csv(request, reply, input) ?? cache.send(request, reply, input);
  });
}

/** Whole UTC days. */
function firstDay(now: Date, since: string | undefined): Date {
  const oldest = dayOf(now.getTime()) - (since === undefined ? USUAL_DAYS : MOST_DAYS) * DAY_MS;
  return new Date(since === undefined ? oldest : Math.max(oldest, dayOf(Date.parse(since))));
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}
