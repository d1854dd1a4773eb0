import Type, { type Static, type TObject } from 'typebox';
import { IS_SET_BY_HAND } from '../domain/trading/spendable-price.ts';

export const priceVariables = {
  PRICE_SOURCE: Type.Enum(['fixed', 'pyth', 'jupiter'], {
    default: 'fixed',
    description:
      'Source of SOL’s price; pairs name their own. `fixed`: all from the local desk’s table, refused in production',
  }),
  PYTH_URL: httpUrl('Hermes server of Pyth', 'https://hermes.pyth.network'),
  PYTH_ACCESS_TOKEN: token('Access token of PYTH_URL, if needed'),
  JUPITER_URL: httpUrl('Jupiter, for prices and restocks', 'https://api.jup.ag'),
  JUPITER_API_KEY: token('API key of JUPITER_URL, if needed'),
};

type PriceValues = Static<TObject<typeof priceVariables>>;

export interface KeyedService {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string | undefined;
}

export interface PricesConfig {
  /** Of SOL; `fixed` of all. */
  readonly source: 'fixed' | 'pyth' | 'jupiter';
  readonly maxAgeMs: number;
  readonly maxConfidenceBps: number;
  /** From the median, for outgoing value, bps. */
  readonly maxDeviationBps: number;
  readonly pyth: KeyedService;
  readonly jupiter: KeyedService;
}

export function pricesConfig(values: PriceValues): PricesConfig {
  return {
    source: values.PRICE_SOURCE,
    maxAgeMs: 60_000,
    maxConfidenceBps: 100,
    maxDeviationBps: 2_000,
    pyth: { url: withoutSlash(values.PYTH_URL), key: values.PYTH_ACCESS_TOKEN },
    jupiter: { url: withoutSlash(values.JUPITER_URL), key: values.JUPITER_API_KEY },
  };
}

export function priceProductionProblems(values: PriceValues): string[] {
  const problems = (['PYTH_URL', 'JUPITER_URL'] as const)
    .filter((name) => !values[name].startsWith('https://'))
    .map((name) => `${name} must be an https URL in production`);
  if (!IS_SET_BY_HAND[values.PRICE_SOURCE]) return problems;
  return ['PRICE_SOURCE=fixed is refused in production; use pyth or jupiter', ...problems];
}

function httpUrl(what: string, fallback: string) {
  return Type.String({
    pattern: '^https?://[^\\s]+$',
    title: 'an http or https URL',
    default: fallback,
    description: what,
  });
}

function token(description: string) {
  return Type.Optional(Type.String({ pattern: '^\\S+$', title: 'a word', description, writeOnly: true }));
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
