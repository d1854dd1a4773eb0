import Type, { type Static, type TObject } from 'typebox';

/** Where USD prices come from, and how good that of SOL must be; the limits of other tokens lie in their pairs. */
export const priceVariables = {
  PRICE_SOURCE: Type.Enum(['fixed', 'pyth', 'jupiter'], {
    default: 'fixed',
    description:
      'Source of the price of SOL. `fixed` takes every price from the table that the local desk fills and is refused in production; with the others each pair names its own, pyth or jupiter',
  }),
  PRICE_MAX_AGE_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 60,
    description: 'An older price of SOL is no price, in seconds',
  }),
  PRICE_MAX_CONFIDENCE_BPS: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 100,
    description: 'A price of SOL with a wider confidence interval is no price, in bps of it',
  }),
  PYTH_URL: httpUrl('Hermes server of Pyth', 'https://hermes.pyth.network'),
  PYTH_ACCESS_TOKEN: token('Access token of that server, where it asks for one'),
  JUPITER_URL: httpUrl('API server of Jupiter, for prices and for the swaps of restocks', 'https://api.jup.ag'),
  JUPITER_API_KEY: token('API key of that server, where it asks for one'),
};

type PriceValues = Static<TObject<typeof priceVariables>>;

/** An HTTP service and what it knows its client by. */
export interface KeyedService {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string | undefined;
}

/** Where prices come from. */
export interface PricesConfig {
  /** Source of the price of SOL; `fixed` of every price. */
  readonly source: 'fixed' | 'pyth' | 'jupiter';
  /** An older price of SOL is no price. */
  readonly maxAgeMs: number;
  readonly maxConfidenceBps: number;
  readonly pyth: KeyedService;
  readonly jupiter: KeyedService;
}

/** The price settings, out of validated variables. */
export function pricesConfig(values: PriceValues): PricesConfig {
  return {
    source: values.PRICE_SOURCE,
    maxAgeMs: values.PRICE_MAX_AGE_SECONDS * 1000,
    maxConfidenceBps: values.PRICE_MAX_CONFIDENCE_BPS,
    pyth: { url: withoutSlash(values.PYTH_URL), key: values.PYTH_ACCESS_TOKEN },
    jupiter: { url: withoutSlash(values.JUPITER_URL), key: values.JUPITER_API_KEY },
  };
}

/** What production refuses: prices set by hand, and servers whose answers, or our keys, travel in plain text. */
export function priceProductionProblems(values: PriceValues): string[] {
  const problems = (['PYTH_URL', 'JUPITER_URL'] as const)
    .filter((name) => !values[name].startsWith('https://'))
    .map((name) => `${name} must be an https URL in production`);
  if (values.PRICE_SOURCE !== 'fixed') return problems;
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
