import Type, { type Static } from 'typebox';
import { PUBLIC_ROUND_STATES } from '../../db/reward/reward-record.ts';
import { LEFT_OUT_REASONS } from '../../domain/reward/left-out.ts';
import { amountFields } from '../answers/amounts.ts';
import { address, count, figure, moment, nullable, record, text } from '../answers/fields.ts';
import { PaginationSchema } from '../answers/pages.ts';
import { CountedQuoteSchema } from '../answers/quotes.ts';

const ReasonSchema = Type.Enum([...LEFT_OUT_REASONS], { description: 'Why they got nothing' });

/** A moment at which balances were observed, and what it was drawn from. */
const ObservationSchema = record({
  n: count('Place among the observations of the round, from 0'),
  seenSlot: count('Finalized slot whose blockhash was drawn from'),
  blockhash: text('That blockhash'),
  partSlots: nullable(count('Slots that were drawn from; null for rounds that did not keep it')),
  slot: count('The drawn slot: `seenSlot` + (first 48 bits of sha256("`blockhash`/`id`/`n`")) mod `partSlots`'),
  readSlot: nullable(count('Finalized slot that the balances were read in')),
});

/** What was divided, and by what rules. */
const DivisionSchema = record({
  ...amountFields('budget', 'What was divided, in quote tokens'),
  ...amountFields('minimumHolding', 'Tokens that had to be held at every observation'),
  ...amountFields('leastPayout', 'What a payout had to bring, in quote tokens'),
  averagePrice: figure('Average price that holdings were valued by, quote tokens per token'),
  quoteUsd: figure('USD per quote token'),
  holderCount: count('Wallets that held enough at every observation and may earn'),
});

/** One round of a coin. */
const RewardRoundSchema = record({
  number: count('From 1, without gaps'),
  id: Type.String({ format: 'uuid', description: 'What its transactions and draws name it by' }),
  state: Type.Enum([...PUBLIC_ROUND_STATES], { description: 'A round shows once its observations are over' }),
  openedSlot: count('Finalized slot at which it was planned'),
  openedAt: moment('When it was planned'),
  endedAt: nullable(moment('When it had come to its end')),
  observations: Type.Array(ObservationSchema, { description: 'Enough to draw every moment again' }),
  division: nullable(DivisionSchema),
  ...amountFields('paid', 'What holders were paid, in quote tokens: finalized payouts only'),
  paidUsd: figure('The same in USD; payments without a price count as zero'),
  recipientCount: count('Wallets that were paid'),
  leftOutCount: count('Wallets that got nothing'),
  leftOut: Type.Array(record({ reason: ReasonSchema, ownerCount: count('Wallets') }), {
    description: 'The most frequent reason first',
  }),
  note: nullable(text('What was out of the ordinary, for people')),
});

export type RewardRoundAnswer = Static<typeof RewardRoundSchema>;

/** `data` of `GET /tokens/{mint}/rewards/rounds`. */
export const RewardRoundsSchema = record({
  mint: address('Mint'),
  quote: CountedQuoteSchema,
  rounds: Type.Array(RewardRoundSchema, { description: 'The newest first' }),
  pagination: PaginationSchema,
});

/** `data` of `GET /tokens/{mint}/rewards/rounds/{number}/left-out`. */
export const LeftOutSchema = record({
  mint: address('Mint'),
  number: count('Number of the round'),
  leftOut: Type.Array(
    record({
      owner: address('Wallet, or whatever else held'),
      reason: ReasonSchema,
      ...amountFields('held', 'The least that it held at the observations, in tokens'),
    }),
    { description: 'Who held most first' },
  ),
  pagination: PaginationSchema,
});
