import Type, { type Static } from 'typebox';
import { AIRDROP_SOURCES } from '../../domain/airdrop/airdrop.ts';
import { CHAIN_TRANSACTION_STATUSES } from '../../domain/chain-transaction.ts';
import { AIRDROP_TIERS, FEE_TIERS } from '../../domain/token-facts.ts';
import { LAUNCH_STATES } from '../../domain/launch/state.ts';
import {
  address,
  count,
  figure,
  LaunchpadSchema,
  ModeSchema,
  moment,
  nullable,
  raw,
  record,
  signature,
  text,
  TransferFeeSchema,
} from '../answers/fields.ts';
import { ShortQuoteSchema } from '../answers/quotes.ts';

/** A dev buy as it was agreed. */
export const DevBuySchema = record({
  tokens: figure('Tokens that the pool gives'),
  tokensRaw: raw('The same'),
  netTokens: Type.Optional(figure('Tokens that reach the creator after the transfer tax; reward launches only')),
  netTokensRaw: Type.Optional(raw('The same')),
  lamports: count('What the creator pays for it, lamports'),
});

/** An airdrop as it was agreed. */
export const AirdropTermsSchema = record({
  source: Type.Enum([...AIRDROP_SOURCES], { description: 'Where the recipients come from' }),
  tier: Type.Enum([...AIRDROP_TIERS], { description: 'Which of them' }),
  percent: figure('Share of the supply that is held out of the pool, percent'),
  tokens: figure('The same in tokens'),
  tokensRaw: raw('The same'),
  recipients: count('Wallets that get some'),
  feeLamports: count('What the creator pays for the delivery, lamports'),
  snapshotSlot: count('Slot at which the recipients were frozen'),
});

/** What was agreed of a launch, whatever becomes of it. */
const launchTerms = {
  quoteId: text('Id of its signed quote'),
  name: text('Name'),
  symbol: text('Symbol'),
  creator: address('Wallet that launched it'),
  launchpad: LaunchpadSchema,
  mode: ModeSchema,
  quote: ShortQuoteSchema,
  quoteMint: address('Mint of the paired token'),
  quoteSymbol: text('Its symbol'),
  transferFee: Type.Optional(TransferFeeSchema),
  feeTier: Type.Optional(Type.Enum([...FEE_TIERS], { description: 'Standard launches only' })),
  rewardTaxBps: Type.Optional(TransferFeeSchema.properties.bps),
  poolFeePercent: figure('Fee of the pool, percent'),
  startMarketCapUsd: figure('Market cap at which the pool opens, USD'),
  targetMarketCapUsd: figure('Market cap that is aimed at, USD'),
  payment: record({ lamports: count('What the creator pays, lamports') }),
  devBuy: nullable(DevBuySchema),
  airdrop: nullable(AirdropTermsSchema),
  launchWallet: address('Wallet that the launch is made from'),
  feeKeyMints: Type.Array(address('Mint of a Fee Key')),
};

/** How a launch went; there is more to say until it is final. */
const launchCourse = {
  states: Type.Array(
    record({
      state: Type.Enum([...LAUNCH_STATES]),
      at: moment('When it came into it'),
      slot: nullable(count('Slot of what brought it there')),
    }),
    { description: 'Every state it was in, oldest first' },
  ),
  transactions: Type.Array(
    record({
      purpose: text('What it does'),
      status: Type.Enum([...CHAIN_TRANSACTION_STATUSES]),
      signature: signature('Signature'),
      slot: nullable(count('Slot it landed in')),
    }),
    { description: 'Transactions of its bundle' },
  ),
};

/** A launch of the public ledger, whose token is live. Programs archive it, so nothing is in it that changes later. */
export const LedgerLaunchSchema = record({
  ...launchTerms,
  paymentSignature: signature('Of the fee payment; its key in the status endpoint'),
  status: Type.Literal('completed'),
  mint: address('Mint'),
  pool: address('Pool'),
  logoUrl: text('Logo'),
  createdAt: moment('When it was launched'),
});

export type LedgerLaunch = Static<typeof LedgerLaunchSchema>;

/** The same beside its token, with how it went. */
export const LaunchSchema = record({ ...LedgerLaunchSchema.properties, ...launchCourse });

export type LaunchAnswer = Static<typeof LaunchSchema>;

/** What submit and status say of a launch. */
export const OutcomeSchema = record({
  status: Type.Enum(['completed', 'processing', 'service_unavailable'], {
    description: '`processing`: on chain or on its way, poll the status and never pay again',
  }),
  paymentSignature: signature('Of the fee payment'),
  mint: Type.Optional(address('Once the token is live')),
  pool: Type.Optional(address('Once the token is live')),
  charged: Type.Optional(
    Type.Literal(false, { description: 'Where nothing was charged, or everything was given back' }),
  ),
  reason: Type.Optional(text('Why it did not land, for people')),
  refundSignature: Type.Optional(signature('Of the refund')),
});

export type LaunchOutcome = Static<typeof OutcomeSchema>;

/** The status endpoint adds what is public of the launch. */
export const LaunchStatusSchema = record({ ...OutcomeSchema.properties, ...launchTerms, ...launchCourse });

export type LaunchStatus = Static<typeof LaunchStatusSchema>;

/** Fields beside `error` of a launch whose payment landed and that needs manual recovery. */
export const recoveryFields = { paymentSignature: Type.Optional(signature('Of the fee payment')) };

/** Fields beside `error` of a launch that did not land. */
export const notChargedFields = {
  status: Type.Optional(Type.Literal('service_unavailable')),
  charged: Type.Optional(Type.Literal(false, { description: 'Nothing was charged and no token exists' })),
  paymentSignature: Type.Optional(signature('Of the fee payment')),
};
