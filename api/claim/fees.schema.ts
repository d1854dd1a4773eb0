import Type, { type Static } from 'typebox';
import {
  address,
  count,
  ModeSchema,
  moment,
  nullable,
  optionalFigure,
  record,
  signature,
  text,
} from '../answers/fields.ts';
import { amountFields } from '../answers/amounts.ts';

export const TokenAmountSchema = record({
  mint: address('Mint'),
  symbol: text('Symbol'),
  decimals: count('Decimals'),
  ...amountFields('amount', 'Tokens'),
  amountUsd: optionalFigure('Its worth, USD; left out while there is no fresh price'),
});

export type TokenAmountAnswer = Static<typeof TokenAmountSchema>;

export const ClaimableSchema = record({ base: TokenAmountSchema, quote: TokenAmountSchema });

export type ClaimableAnswer = Static<typeof ClaimableSchema>;

export const FeesSchema = record({
  mint: address('Mint'),
  mode: ModeSchema,
  pool: address('Pool'),
  creator: nullable(address('Wallet that launched it; null on a reward coin')),
  claimable: nullable(ClaimableSchema),
  reason: Type.Optional(text('Why nothing can be claimed, for people; with `claimable: null`')),
  feeKey: Type.Optional(
    record({ mint: address('Mint of the Fee Key'), holder: nullable(address('Wallet that holds it and may claim')) }),
  ),
  claimUrl: text('Path of the token’s page'),
  claimApi: text('Path of the claim endpoints'),
});

export type FeesAnswer = Static<typeof FeesSchema>;

export const ClaimPreparedSchema = record({
  intentId: text('Pass it to claim submit'),
  transaction: text('Unsigned claim, base64; the wallet signs it'),
  mint: address('Mint'),
  creatorWallet: address('Wallet that it was prepared for'),
  expiresAt: moment('When it can no longer be submitted'),
  amounts: ClaimableSchema,
});

export type ClaimPrepared = Static<typeof ClaimPreparedSchema>;

export const ClaimOutcomeSchema = record({
  intentId: text('The claim'),
  signature: signature('Its transaction'),
  alreadySubmitted: Type.Boolean({ description: 'Whether an earlier submit of it was taken in' }),
  landed: Type.Optional(
    Type.Boolean({
      description: 'Once it is confirmed, or proven that it never can be; left out while neither is known',
    }),
  ),
  reason: Type.Optional(text('Why it did not land, for people')),
});

export type ClaimAnswer = Static<typeof ClaimOutcomeSchema>;
