import Type, { type Static } from 'typebox';
import { address, count, record, text } from './fields.ts';

const named = { mint: address('Mint'), symbol: text('Symbol') };

const DESCRIPTION = 'The paired token';

export const ShortQuoteSchema = record(named, DESCRIPTION);

export const CountedQuoteSchema = record({ ...named, decimals: count('Decimals of amounts') }, DESCRIPTION);

export const QuoteSchema = record(
  {
    ...named,
    name: text('Name'),
    decimals: Type.Optional(count('Decimals')),
    logoUrl: text('Logo; the platform’s where none is known'),
    category: text('Category of the pair'),
    categoryLabel: text('The same for people'),
  },
  DESCRIPTION,
);

interface NamedQuote {
  readonly quoteMint: string;
  readonly quoteSymbol: string;
}

export function shortQuote({ quoteMint, quoteSymbol }: NamedQuote): Static<typeof ShortQuoteSchema> {
  return { mint: quoteMint, symbol: quoteSymbol };
}

export function countedQuote(row: NamedQuote & { readonly quoteDecimals: number }): Static<typeof CountedQuoteSchema> {
  return { ...shortQuote(row), decimals: row.quoteDecimals };
}
