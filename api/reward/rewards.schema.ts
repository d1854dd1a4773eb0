import Type, { type Static } from 'typebox';
import {
  address,
  count,
  figure,
  moment,
  nullable,
  optionalFigure,
  record,
  signature,
  text,
  TransferFeeSchema,
  ModeSchema,
} from '../answers/fields.ts';
import { amountFields } from '../answers/amounts.ts';
import { CursorPaginationSchema } from '../answers/pages.ts';
import { CountedQuoteSchema } from '../answers/quotes.ts';

const distributed = {
  ...amountFields('distributed', 'All that was paid, in quote tokens'),
  distributedUsd: figure('The same in USD as of each payment; payments without a price count as zero'),
  payoutCount: count('Payments to wallets, summed over rounds'),
  holderCount: count('Wallets that were ever paid'),
  roundCount: count('Rounds that paid a holder'),
  transactionCount: count('Transactions that paid a holder'),
  lastPayoutAt: nullable(moment('The newest payment; null before the first')),
};

/** Empty list: rewards are never paid in the coin itself. */
const BaseDistributionsSchema = Type.Array(record({}), { description: 'Empty: rewards are paid in the quote token' });

/** Pending rewards, without uncollected tax in holders' accounts. */
const pending = {
  ...amountFields('pending', 'Collected for the next round, in quote tokens'),
  pendingUsd: optionalFigure('The same in USD by the present price'),
  pendingTaxUsd: optionalFigure('Tax that was collected and not sold yet, USD by the present price'),
  quotePriceUsd: optionalFigure('USD for one quote token; left out while there is no fresh price'),
};

const rules = {
  transferTaxBps: TransferFeeSchema.properties.bps,
  minHoldingUsd: figure('A wallet that holds less earns nothing, USD'),
  minPayoutUsd: figure('A share that brings less is not paid, USD'),
};

const PendingSchema = record({ ...pending, ...rules });

const RewardsOfTokenSchema = record({
  ...distributed,
  ...amountFields('undistributed', 'Collected for the next round, in quote tokens'),
  transferFee: TransferFeeSchema,
  pending: PendingSchema,
  ...pending,
  ...rules,
});

export type PendingRewards = Static<typeof PendingSchema>;

export const TokenRewardsSchema = record({
  mint: address('Mint'),
  mode: ModeSchema,
  message: Type.Optional(text('Why there are none, for people; standard launches only')),
  quote: Type.Optional(CountedQuoteSchema),
  rewards: nullable(RewardsOfTokenSchema),
  // No schema of null alone: generators have no type for it.
  base: Type.Optional(nullable(record({}, 'Paid in the coin itself; always null'))),
});

export type TokenRewardsAnswer = Static<typeof TokenRewardsSchema>;

const RewardCoinSchema = record({
  mint: address('Mint'),
  name: text('Name'),
  symbol: text('Symbol'),
  quote: CountedQuoteSchema,
  ...distributed,
});

export type RewardCoinAnswer = Static<typeof RewardCoinSchema>;

/** A row never changes. */
const DistributionSchema = record({
  signature: signature('The transaction, which pays the holders of this coin alone'),
  mint: address('Mint'),
  symbol: text('Symbol'),
  quoteMint: address('Mint of the quote token, which it was paid in'),
  quoteSymbol: text('Its symbol'),
  ...amountFields('amount', 'All that was paid, in quote tokens'),
  amountUsd: optionalFigure('The same in USD; left out where no price of that time is known'),
  holderCount: count('Wallets that were paid'),
  slot: count('Slot'),
  distributedAt: moment('When'),
});

export type DistributionAnswer = Static<typeof DistributionSchema>;

export const RewardsSchema = record({
  launches: Type.Array(RewardCoinSchema, {
    description: 'Every coin that has paid, from the most quote tokens down; empty on pages after the first',
  }),
  recentDistributions: Type.Array(DistributionSchema, { description: 'The newest first' }),
  baseDistributions: BaseDistributionsSchema,
  recentBaseDistributions: BaseDistributionsSchema,
  pagination: CursorPaginationSchema,
});
