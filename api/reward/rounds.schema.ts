import Type, { type Static } from 'typebox';
import { PUBLIC_ROUND_STATES } from '../../db/reward/reward-record.ts';
import { LEFT_OUT_REASONS } from '../../domain/reward/left-out.ts';
import { amountFields } from '../answers/amounts.ts';
import { address, count, figure, moment, nullable, record, text } from '../answers/fields.ts';
import { PaginationSchema } from '../answers/pages.ts';
import { CountedQuoteSchema } from '../answers/quotes.ts';

const ReasonSchema = Type.Enum([...LEFT_OUT_REASONS], { description: 'Why they got nothing' });

const ObservationSchema = record({
  n: count('Place among the observations of the round, from 0'),
  slot: count('Slot of the block that drew the moment: balances count from it on'),
  blockhash: text('Its blockhash, which anybody can draw again by docs/verify.md'),
  readSlot: count('Finalized slot that a quorum of the answers with the balances had reached'),
  answerSlots: Type.Array(count('Finalized slot of an answer'), { description: 'Of each RPC endpoint that answered' }),
  quorum: count('A balance is the one at this place, the largest first, among those of the answers'),
});

const DivisionSchema = record({
  ...amountFields('budget', 'Divided amount, in quote tokens'),
  ...amountFields('minimumHolding', 'Tokens that had to be held at every observation'),
  ...amountFields('leastPayout', 'Least amount of a payout, in quote tokens'),
  averagePrice: figure('Average price that holdings were valued by, quote tokens per token'),
  quoteUsd: figure('USD per quote token'),
  holderCount: count('Wallets that held enough at every observation and may earn'),
});

const SealSchema = record({
  root: text('Merkle root of the document (hex, 32 bytes): the seal names it as an account'),
  documentUrl: text(
    'The document: who was seen with how much, who is paid how much by which transaction, and why others are not',
  ),
  rowCount: count('Its rows'),
  byteCount: count('Its length'),
  signature: text('The final transaction that sealed it. Payouts are signed only then'),
  slot: count('Slot of that transaction'),
  sealedAt: moment('When it landed'),
});

const RewardRoundSchema = record({
  number: count('From 1, without gaps'),
  id: Type.String({ format: 'uuid', description: 'Id in its transactions' }),
  state: Type.Enum([...PUBLIC_ROUND_STATES], { description: 'A round shows once its observations are over' }),
  openedSlot: count('Finalized slot at which it was planned'),
  openedAt: moment('When it was planned'),
  windowSlot: nullable(
    count('First slot of the window that it observed in; null for a round that only the chain showed'),
  ),
  windowSlots: nullable(count('Length of that window')),
  endedAt: nullable(moment('When it had come to its end')),
  observations: Type.Array(ObservationSchema, { description: 'Enough to draw every moment again' }),
  division: nullable(DivisionSchema),
  seal: nullable(SealSchema),
  ...amountFields('paid', 'Paid to holders, in quote tokens: finalized payouts only'),
  paidUsd: figure('The same in USD; payments without a price count as zero'),
  recipientCount: count('Wallets that were paid'),
  leftOutCount: count('Wallets that got nothing'),
  leftOut: Type.Array(record({ reason: ReasonSchema, ownerCount: count('Wallets') }), {
    description: 'The most frequent reason first',
  }),
  note: nullable(text('Anything out of the ordinary, for people')),
});

export type RewardRoundAnswer = Static<typeof RewardRoundSchema>;

export const RewardRoundsSchema = record({
  mint: address('Mint'),
  quote: CountedQuoteSchema,
  rounds: Type.Array(RewardRoundSchema, { description: 'The newest first' }),
  pagination: PaginationSchema,
});

export const LeftOutSchema = record({
  mint: address('Mint'),
  number: count('Number of the round'),
  leftOut: Type.Array(
    record({
      owner: address('Wallet, or whatever else held'),
      reason: ReasonSchema,
      ...amountFields('held', 'The least that it held at the observations, in tokens'),
    }),
    { description: 'Greatest holders first' },
  ),
  pagination: PaginationSchema,
});
