import Type, { type Static } from 'typebox';
import type { StatementRow } from '../../db/money/statements.ts';
import * as statements from '../../db/money/statements.ts';
import type { Db } from '../../db/connect.ts';
import { STATEMENT_KINDS } from '../../domain/money/statement.ts';
import { amountAnswer, amountFields } from './amounts.ts';
import { address, count, figure, moment, nullable, record, signature } from './fields.ts';
import { noCursor } from './cursor.ts';
import { fromNumber, growingCursors, growingPage } from './growing.ts';
import { toInteger, toNumberOrNull } from './numbers.ts';
import { GrowingPaginationSchema } from './pages.ts';

const movedFields = {
  ...amountFields('baseIn', 'Coins that came in'),
  ...amountFields('baseOut', 'Coins that left'),
  ...amountFields('quoteIn', 'Quote tokens that came in'),
  ...amountFields('quoteOut', 'Quote tokens that left'),
};

const MovementSchema = record({
  number: count('Place in the statement, from 1 and without gaps: the order of the bookings'),
  kind: Type.Enum([...STATEMENT_KINDS], {
    title: 'MovementKind',
    description:
      'Of a pot: `tax` and `excess` are withdrawn tax, `harvest` fees, `sale` coins for quote tokens, `payout` goes to holders, ' +
      '`correction` is an operator’s and names no transaction. Of a budget: `share` of a harvest, `purchase` by a swap. Of the revenue: `harvest`',
  }),
  mint: address('The coin that it is about'),
  roundId: nullable(
    Type.String({ format: 'uuid', description: 'The reward round; null for all but those of a round' }),
  ),
  signature: nullable(signature('Its transaction; null for a correction')),
  slot: nullable(count('Slot of that transaction')),
  landedAt: nullable(moment('Block time of that transaction; null where the booking does not keep it')),
  valueUsd: nullable(figure('Of revenue: its worth as it was booked, USD; null for all others, and without a price')),
  bookedAt: moment('When this row was written'),
  ...movedFields,
  harvest: nullable(
    record(
      {
        ...amountFields('quote', 'Quote tokens that it brought to the treasury'),
        shareBps: count('Share of it for this budget, in bps, rounded down'),
      },
      'The harvest that it is a share of',
      'SharedHarvest',
    ),
  ),
});

/** Below zero only where a restored database has found payments again, and not yet what they were paid from. */
const signedRaw = Type.String({ pattern: '^-?\\d+$', description: 'The same, smallest units' });

const TotalsSchema = record(
  {
    ...movedFields,
    baseHeldTokens: figure('Coins that are held: in less out'),
    baseHeldRaw: signedRaw,
    quoteHeldTokens: figure('Quote tokens that are held: in less out'),
    quoteHeldRaw: signedRaw,
  },
  'Of this page and all before it',
  'StatementTotals',
);

export const statementFields = {
  movements: Type.Array(MovementSchema, { description: 'The oldest booking first. Rows are only ever added' }),
  totals: TotalsSchema,
  pagination: GrowingPaginationSchema,
};

export const StatementSchema = record(statementFields);
export type StatementAnswer = Static<typeof StatementSchema>;

export interface StatementQuestion {
  readonly account: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly decimals: number;
  readonly quoteDecimals: number;
}

/** A standby for the page, and the primary, which has each row that a page ended with. */
export type StatementDbs = Readonly<Record<'reads' | 'db', Db>>;

const cursors = growingCursors('statement');

/**
 * Reads a page of a statement, with the totals up to its end.
 * @throws AppError `invalid_request` for a cursor behind the last row
 */
export async function readStatement(
  { reads, db }: StatementDbs,
  question: StatementQuestion,
): Promise<StatementAnswer> {
  const { account, limit, cursor } = question;
  const list = { cursors, of: account };
  const after = fromNumber(list, cursor);
  const found = await statements.after(reads, account, after, limit + 1);
  const { rows, pagination } = growingPage(list, found, { limit, after });
  const last = rows.at(-1) ?? (await statements.byNumber(db, account, after));
  if (after > 0 && last === null) throw noCursor();
  return {
    movements: rows.map((row) => movementAnswer(row, question)),
    totals: totalsAnswer(last, question),
    pagination,
  };
}

type Decimals = Pick<StatementQuestion, 'decimals' | 'quoteDecimals'>;

interface Moved {
  readonly baseIn: bigint;
  readonly baseOut: bigint;
  readonly quoteIn: bigint;
  readonly quoteOut: bigint;
}

function movedAnswer({ baseIn, baseOut, quoteIn, quoteOut }: Moved, { decimals, quoteDecimals }: Decimals) {
  return {
    ...amountAnswer('baseIn', baseIn, decimals),
    ...amountAnswer('baseOut', baseOut, decimals),
    ...amountAnswer('quoteIn', quoteIn, quoteDecimals),
    ...amountAnswer('quoteOut', quoteOut, quoteDecimals),
  };
}

function movementAnswer(row: StatementRow, decimals: Decimals): StatementAnswer['movements'][number] {
  const { number, kind, mint, roundId, signature, slot, landedAt, valueUsd, bookedAt } = row;
  const { baseRaw, quoteRaw, harvestedRaw, shareBps } = row;
  const gain = (change: bigint) => (change > 0n ? change : 0n);
  const moved = { baseIn: gain(baseRaw), baseOut: gain(-baseRaw), quoteIn: gain(quoteRaw), quoteOut: gain(-quoteRaw) };
  const harvest =
    harvestedRaw === null || shareBps === null
      ? null
      : { ...amountAnswer('quote', harvestedRaw, decimals.quoteDecimals), shareBps };
  return {
    number,
    kind,
    mint,
    roundId,
    signature,
    slot: slot === null ? null : toInteger(slot),
    landedAt: landedAt?.toISOString() ?? null,
    valueUsd: toNumberOrNull(valueUsd),
    bookedAt: bookedAt.toISOString(),
    ...movedAnswer(moved, decimals),
    harvest,
  };
}

function totalsAnswer(last: StatementRow | null, decimals: Decimals): StatementAnswer['totals'] {
  const { totalBaseInRaw: baseIn = 0n, totalBaseOutRaw: baseOut = 0n } = last ?? {};
  const { totalQuoteInRaw: quoteIn = 0n, totalQuoteOutRaw: quoteOut = 0n } = last ?? {};
  return {
    ...movedAnswer({ baseIn, baseOut, quoteIn, quoteOut }, decimals),
    ...amountAnswer('baseHeld', baseIn - baseOut, decimals.decimals),
    ...amountAnswer('quoteHeld', quoteIn - quoteOut, decimals.quoteDecimals),
  };
}
