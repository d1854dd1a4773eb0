import Type, { type Static } from 'typebox';
import { AIRDROP_SOURCES } from '../../domain/airdrop/airdrop.ts';
import { CHAIN_TRANSACTION_STATUSES } from '../../domain/chain-transaction.ts';
import { AIRDROP_TIERS, FEE_TIERS } from '../../domain/token-facts.ts';
import { ON_CHAIN } from '../../domain/launch/public-status.ts';
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
import { airdropFlags } from './airdrop-flags.ts';

export const DevBuySchema = record({
  tokens: figure('Tokens that the pool gives'),
  tokensRaw: raw('The same'),
  netTokens: Type.Optional(figure('Tokens that reach the creator after the transfer tax; reward launches only')),
  netTokensRaw: Type.Optional(raw('The same')),
  lamports: count('Price for the creator, lamports'),
});

export const AirdropTermsSchema = record({
  source: Type.Enum([...AIRDROP_SOURCES], { description: 'Where the recipients come from' }),
  tier: Type.Enum([...AIRDROP_TIERS], { description: 'Size of the ranking' }),
  percent: figure('Share of the supply that is held out of the pool, percent'),
  tokens: figure('The same in tokens'),
  tokensRaw: raw('The same'),
  recipients: count('Wallets that get some'),
  feeLamports: count('Price of the delivery for the creator, lamports'),
  delivery: Type.Literal('afterLaunch', {
    description:
      'Transactions of its own deliver it after the launch has completed; `/tokens/{mint}/airdrop` says how far',
  }),
  snapshotSlot: count('Slot at which the recipients were frozen'),
  recipientsHash: text(
    'sha256 of the recipients’ document, hex: `slipway verify airdrop --recipients-hash` compares it',
  ),
});

const launchTerms = {
  quoteId: text('Id of its signed quote'),
  name: text('Name'),
  symbol: text('Symbol'),
  creator: address('Wallet that launched it'),
  feeRecipient: Type.Optional(address('Wallet that got the Fee Key, if the creator named one')),
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
  payment: record({ lamports: count('Price for the creator, lamports') }),
  devBuy: nullable(DevBuySchema),
  airdrop: nullable(AirdropTermsSchema),
  launchWallet: address('Wallet that the launch is made from'),
  feeKeyMints: Type.Optional(Type.Array(address('Mint of a Fee Key'), { description: 'Once the token is live' })),
};

/** Grows until the launch is final. */
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
      purpose: text('Purpose of the transaction'),
      status: Type.Enum([...CHAIN_TRANSACTION_STATUSES]),
      signature: signature('Signature'),
      slot: nullable(count('Slot it landed in')),
    }),
    { description: 'Transactions of its bundle' },
  ),
};

/** Programs archive it: only `airdropDeliveredRaw` and `hidden` change. */
export const LedgerLaunchSchema = record({
  ...launchTerms,
  paymentSignature: signature('Of the fee payment; its key in the status endpoint'),
  status: Type.Literal('completed'),
  mint: address('Mint'),
  pool: address('Pool'),
  logoUrl: text('Logo'),
  createdAt: moment('When it was launched'),
  hidden: Type.Optional(
    Type.Literal(true, { description: 'Only while an admin hides the token from market list, search and asset index' }),
  ),
  ...airdropFlags,
});

export type LedgerLaunch = Static<typeof LedgerLaunchSchema>;

export const LaunchSchema = record({ ...LedgerLaunchSchema.properties, ...launchCourse });

export type LaunchAnswer = Static<typeof LaunchSchema>;

export const OutcomeSchema = record({
  status: Type.Enum(['completed', 'processing'], {
    description:
      '`completed`: the token is live and recorded. `processing`: it may land or has landed, as `onChain` says; poll the status and never pay again',
  }),
  onChain: Type.Optional(
    Type.Enum([...ON_CHAIN], {
      description:
        'Only with `processing`. `unknown`: nothing is known to have landed, so it may still end as not charged. `payment`: the payment landed, the rest follows. `bundle`: everything landed, the details are being recorded',
    }),
  ),
  awaitsOperator: Type.Optional(
    Type.Literal(true, {
      description:
        'Only with `processing`: the launch waits until an operator decides how it ends; no landed payment is known',
    }),
  ),
  paymentSignature: signature('Of the fee payment'),
  mint: Type.Optional(address('Once the token is live')),
  pool: Type.Optional(address('Once the token is live')),
});

export type LaunchOutcome = Static<typeof OutcomeSchema>;

export const LaunchStatusSchema = record({ ...OutcomeSchema.properties, ...launchTerms, ...launchCourse });

export type LaunchStatus = Static<typeof LaunchStatusSchema>;

/** Fields of a launch that landed its payment and waits for an operator. */
export const recoveryFields = { paymentSignature: Type.Optional(signature('Of the fee payment')) };

export const notChargedFields = {
  status: Type.Optional(Type.Literal('service_unavailable')),
  charged: Type.Optional(
    Type.Literal(false, { description: 'Nothing was charged, or all was given back; no token exists' }),
  ),
  final: Type.Optional(
    Type.Literal(true, { description: 'The launch has ended: stop polling, and prepare again for another try' }),
  ),
  paymentSignature: Type.Optional(signature('Of the fee payment')),
  refundSignature: Type.Optional(signature('Of the refund; only where the payment had landed')),
};
