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
} from '../answers/fields.ts';
import { amountFields } from '../answers/amounts.ts';
import { CountedQuoteSchema } from '../answers/quotes.ts';

/** What the holders of a coin got in all. */
const distributed = {
  ...amountFields('distributed', 'All that was paid, in quote tokens'),
  distributedUsd: figure('The same in USD as of each payment; payments without a price count as zero'),
  payoutCount: count('Payments to wallets, summed over rounds'),
  holderCount: count('Wallets that were ever paid'),
  roundCount: count('Rounds that paid somebody'),
  transactionCount: count('Transactions that paid somebody'),
  lastPayoutAt: nullable(moment('The newest payment; null before the first')),
};

/** What was paid in a coin's own token; this platform pays in the quote token alone. */
const BaseDistributionsSchema = Type.Array(record({}), { description: 'Empty: rewards are paid in the quote token' });

const RewardsOfTokenSchema = record({
  ...distributed,
  ...amountFields('undistributed', 'Collected for the next round, in quote tokens'),
  transferFee: TransferFeeSchema,
});

/** `data` of `GET /tokens/{mint}/rewards`. */
export const TokenRewardsSchema = record({
  mint: address('Mint'),
  mode: Type.Enum(['standard', 'reward'], { description: 'Fee model' }),
  message: Type.Optional(text('Why there are none, for people; standard launches only')),
  quote: Type.Optional(CountedQuoteSchema),
  rewards: nullable(RewardsOfTokenSchema),
  base: Type.Optional(Type.Null({ description: 'Rewards are paid in the quote token alone' })),
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

/** What one transaction paid the holders of one coin. A row never changes. */
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

/** `data` of `GET /rewards`. */
export const RewardsSchema = record({
  launches: Type.Array(RewardCoinSchema, { description: 'Every coin that has paid, from the most quote tokens down' }),
  recentDistributions: Type.Array(DistributionSchema, { description: 'The newest first' }),
  baseDistributions: BaseDistributionsSchema,
  recentBaseDistributions: BaseDistributionsSchema,
});
