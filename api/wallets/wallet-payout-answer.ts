import Type, { type Static } from 'typebox';
import type { WalletDay, WalletPayout } from '../../db/reward/wallet-payouts.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { address, count, figure, moment, nullable, record, signature, text } from '../answers/fields.ts';
import { toInteger, toNumber } from '../answers/numbers.ts';

const coinFields = {
  mint: address('Mint of the coin'),
  symbol: text('Its symbol'),
  quoteMint: address('Mint of what was paid'),
  quoteSymbol: text('Its symbol'),
};

const day = Type.String({ format: 'date', description: 'UTC day' });

export const PayoutSchema = record(
  {
    date: day,
    paidAt: moment('When its transaction landed'),
    ...coinFields,
    ...amountFields('amount', 'Paid to the wallet, in quote tokens'),
    valueUsd: nullable(figure('The same in USD by the price of the round; null where none is known')),
    signature: signature('Its transaction, which is final'),
    slot: count('Slot'),
    roundId: Type.String({ format: 'uuid', description: 'The round' }),
    roundNumber: count('Its number'),
  },
  'A payment to the wallet',
  'WalletPayout',
);

export const RewardDaySchema = record(
  {
    date: day,
    ...coinFields,
    ...amountFields('amount', 'Paid to the wallet for this coin that day, in quote tokens'),
    valueUsd: figure('The same in USD; payouts without a price count as zero'),
    payoutCount: count('Payments'),
  },
  'Payments for one coin on one day',
  'RewardDay',
);

type PayoutAnswer = Static<typeof PayoutSchema>;

/** Columns of the CSV, in order. */
export const PAYOUT_COLUMNS = Object.keys(PayoutSchema.properties) as readonly (keyof PayoutAnswer)[];

export function payoutAnswer(payout: WalletPayout): PayoutAnswer {
  const { amountRaw, quoteDecimals, quoteUsd } = payout;
  const paidAt = payout.paidAt.toISOString();
  return {
    date: paidAt.slice(0, 10),
    paidAt,
    ...coinOf(payout),
    ...amountAnswer('amount', amountRaw, quoteDecimals),
    valueUsd: quoteUsd === null ? null : toNumber(worthUsd(amountRaw, quoteDecimals, quoteUsd)),
    signature: payout.signature,
    slot: toInteger(payout.slot),
    roundId: payout.roundId,
    roundNumber: payout.roundNumber,
  };
}

export function dayAnswer(row: WalletDay): Static<typeof RewardDaySchema> {
  return {
    date: row.date,
    ...coinOf(row),
    ...amountAnswer('amount', row.amountRaw, row.quoteDecimals),
    valueUsd: toNumber(row.valueUsd),
    payoutCount: row.payouts,
  };
}

function coinOf({ mint, symbol, quoteMint, quoteSymbol }: WalletDay | WalletPayout) {
  return { mint, symbol, quoteMint, quoteSymbol };
}
