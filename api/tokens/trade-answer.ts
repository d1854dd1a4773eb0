import Type, { type Static } from 'typebox';
import type { Trade } from '../../db/market/trades.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { count, figure, moment, nullable, type record, signature } from '../answers/fields.ts';
import { toInteger, toNumber, toNumberOrNull } from '../answers/numbers.ts';

/** Changes of the pool's vaults. */
export const tradeFields = {
  signature: signature('Its transaction'),
  index: count('Place among the swaps of the pool in it'),
  slot: count('Slot'),
  tradedAt: moment('When'),
  side: Type.Enum(['buy', 'sell']),
  ...amountFields('amount', 'Tokens'),
  ...amountFields('quote', 'Quote tokens'),
  priceQuote: figure('Quote tokens for one token, right after it'),
  priceUsd: nullable(figure('The same in USD')),
  valueUsd: nullable(figure('Worth of the quote side, USD')),
  finalized: Type.Boolean({ description: 'Whether no fork can take it back' }),
};

export type TradeAnswer = Static<ReturnType<typeof record<typeof tradeFields>>>;

export interface TradeDecimals {
  readonly decimals: number;
  readonly quoteDecimals: number;
}

export function tradeAnswer({ decimals, quoteDecimals }: TradeDecimals, trade: Omit<Trade, 'wallet'>): TradeAnswer {
  return {
    signature: trade.signature,
    index: trade.index,
    slot: toInteger(trade.slot),
    tradedAt: trade.blockTime.toISOString(),
    side: trade.side,
    ...amountAnswer('amount', trade.baseRaw, decimals),
    ...amountAnswer('quote', trade.quoteRaw, quoteDecimals),
    priceQuote: toNumber(trade.priceQuote),
    priceUsd: toNumberOrNull(trade.priceUsd),
    valueUsd: toNumberOrNull(trade.valueUsd),
    finalized: trade.finalized,
  };
}
