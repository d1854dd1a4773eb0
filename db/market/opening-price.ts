import { type RawBuilder, sql } from 'kysely';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';

const SUPPLY = TOTAL_SUPPLY_RAW / 10n ** BigInt(TOKEN_DECIMALS);

/** The terms have the market cap at which the pool opens. */
const usd = sql`(launches.terms -> 'opening' ->> 'marketCapUsd')::numeric / ${SUPPLY}::numeric`;
const quoteUsd = sql`(launches.terms -> 'opening' ->> 'quotePriceUsd')::numeric`;

/** Opening price in USD and quote tokens; joins `launches`. */
export const OPENING_PRICES: Readonly<Record<'usd' | 'quote', RawBuilder<string | null>>> = {
  usd: sql<string | null>`(${usd})::numeric(60, 30)`,
  quote: sql<string | null>`(${usd} / ${quoteUsd})::numeric(60, 30)`,
};
