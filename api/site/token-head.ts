import type { ListedToken } from '../../db/market/listed-token.ts';
import type { Head } from './head.ts';
import type { LaunchMode } from '../../domain/token-facts.ts';
import { HAS_GRADUATED } from '../../domain/market/graduation.ts';

/** The creator's text is escaped by what writes HTML. */
export function tokenHead(siteUrl: string, siteName: string, token: ListedToken): Head {
  const { mint, name, symbol, logoUrl } = token;
  return {
    title: `${name} (${symbol}) · ${siteName}`,
    description: `${name} (${symbol}) on ${siteName}: ${factsOf(token).join(', ')}. Chart, trades, holders and how it was launched.`,
    url: `${siteUrl}/tokens/${mint}`,
    image: logoUrl,
  };
}

/** Others are paired with it. */
export function quoteHead(
  siteUrl: string,
  siteName: string,
  { mint, name, symbol }: Pick<ListedToken, 'mint' | 'name' | 'symbol'>,
): Head {
  return {
    title: `${name} (${symbol}) · ${siteName}`,
    description: `${name} (${symbol}): tokens on ${siteName} are paired with it.`,
    url: `${siteUrl}/tokens/${mint}`,
  };
}

const KINDS: Readonly<Record<LaunchMode, string>> = { standard: 'a token', reward: 'a reward coin' };

function factsOf({ mode, quoteSymbol, marketCapUsd, status }: ListedToken): string[] {
  const cap = marketCapUsd === null ? [] : [`market cap ${wholeUsd(marketCapUsd)}`];
  return [`${KINDS[mode]} paired with ${quoteSymbol}`, ...cap, ...(HAS_GRADUATED[status] ? ['graduated'] : [])];
}

/** Formats USD without cents. */
function wholeUsd(decimal: string): string {
  const [whole = '0'] = decimal.split('.');
  return `$${BigInt(whole).toLocaleString('en-US')}`;
}
