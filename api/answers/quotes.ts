import Type, { type Static } from 'typebox';
import { address, count, nullable, record, text } from './fields.ts';

const named = { mint: address('Mint'), symbol: text('Symbol') };

const DESCRIPTION = 'The paired token';

/** The paired token where an answer only names it. */
export const ShortQuoteSchema = record(named, DESCRIPTION);

/** The paired token where amounts are in it. */
export const CountedQuoteSchema = record({ ...named, decimals: count('Decimals of amounts') }, DESCRIPTION);

/** The paired token with all that clients show and filter by. */
export const QuoteSchema = record(
  {
    ...named,
    name: text('Name'),
    decimals: Type.Optional(count('Decimals')),
    logoUrl: nullable(text('Logo')),
    category: text('Category of the pair'),
    categoryLabel: text('The same for people'),
  },
  DESCRIPTION,
);

/** A row of the database that names a quote token. */
interface NamedQuote {
  readonly quoteMint: string;
  readonly quoteSymbol: string;
}

/** The quote token of a row, named. */
export function shortQuote({ quoteMint, quoteSymbol }: NamedQuote): Static<typeof ShortQuoteSchema> {
  return { mint: quoteMint, symbol: quoteSymbol };
}

/** The quote token of a row, with what its amounts are counted in. */
export function countedQuote(row: NamedQuote & { readonly quoteDecimals: number }): Static<typeof CountedQuoteSchema> {
  return { ...shortQuote(row), decimals: row.quoteDecimals };
}
