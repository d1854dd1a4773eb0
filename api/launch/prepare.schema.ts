import Type, { type Static } from 'typebox';
import {
  address,
  count,
  figure,
  ModeSchema,
  moment,
  nullable,
  record,
  text,
  TransferFeeSchema,
} from '../answers/fields.ts';
import { SimilarToSchema } from '../answers/similar-to.ts';
import { AirdropTermsSchema, DevBuySchema } from './launch.schema.ts';

export const PreparedSchema = record({
  signedQuote: text('Pass it to submit as it is'),
  paymentTransaction: text('Unsigned payment, base64; the creator signs it'),
  quoteId: text('Id of the signed quote'),
  mint: address('Mint that the token will have'),
  payment: record({
    lamports: count('All that the creator pays, dev buy and airdrop included'),
    sol: figure('The same in SOL'),
    to: address('Wallet of the launch, which the SOL goes to'),
    feeLamports: count('The launch alone'),
    feeSol: figure('The same in SOL'),
    items: Type.Array(record({ item: Type.Enum(['launch', 'devBuy', 'airdrop']), lamports: count('Lamports') }), {
      description: 'Items that add up to it',
    }),
  }),
  mode: ModeSchema,
  feeRecipient: Type.Optional(address('Wallet that gets the Fee Key, if one was named')),
  poolFeePercent: figure('Fee of the pool, percent'),
  transferFee: nullable(TransferFeeSchema),
  devBuy: nullable(DevBuySchema),
  airdrop: nullable(AirdropTermsSchema),
  similarTo: Type.Optional(SimilarToSchema),
  openingMarketCapUsd: figure('Market cap at which the pool opens, USD'),
  quotePriceUsd: figure('USD for one quote token, which that follows from'),
  metadataUri: text('Where the metadata will be'),
  expiresAt: moment('The last moment at which submit takes the quote; count down to it'),
  lastValidBlockHeight: count('Block height after which the payment can no longer land'),
});

export type PreparedAnswer = Static<typeof PreparedSchema>;
