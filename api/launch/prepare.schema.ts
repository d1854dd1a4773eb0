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
import { AirdropTermsSchema, DevBuySchema } from './launch.schema.ts';

/** `data` of `POST /launches/prepare`. */
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
      description: 'What adds up to it',
    }),
  }),
  mode: ModeSchema,
  poolFeePercent: figure('Fee of the pool, percent'),
  transferFee: nullable(TransferFeeSchema),
  devBuy: nullable(DevBuySchema),
  airdrop: nullable(AirdropTermsSchema),
  openingMarketCapUsd: figure('Market cap at which the pool opens, USD'),
  quotePriceUsd: figure('USD for one quote token, which that follows from'),
  metadataUri: text('Where the metadata will be'),
  expiresAt: moment('About when the payment can no longer land'),
  lastValidBlockHeight: count('Block height after which it cannot'),
});

export type PreparedAnswer = Static<typeof PreparedSchema>;
