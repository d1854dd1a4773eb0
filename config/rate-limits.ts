import Type, { type Static, type TObject } from 'typebox';

/** Published limits: requests a minute per client address; the asset index has the same as the API. */
const PUBLISHED_RATE_LIMITS = {
  RATE_LIMIT_API: 300,
  RATE_LIMIT_LAUNCH_PREPARE: 25,
  RATE_LIMIT_CLAIM_PREPARE: 20,
  RATE_LIMIT_ASSET_INDEX: 300,
} as const;

/** How often a client may ask. */
export const rateLimitVariables = {
  RATE_LIMIT_STORE: Type.Enum(['memory', 'postgres'], {
    default: 'memory',
    description:
      'Where requests are counted: `memory` of each API process, or `postgres` where several behind one address share their limits',
  }),
  RATE_LIMIT_API: rateLimit('RATE_LIMIT_API', 'All versioned endpoints without a limit of their own, together'),
  RATE_LIMIT_LAUNCH_PREPARE: rateLimit('RATE_LIMIT_LAUNCH_PREPARE', 'POST /launches/prepare'),
  RATE_LIMIT_CLAIM_PREPARE: rateLimit('RATE_LIMIT_CLAIM_PREPARE', 'POST /tokens/{mint}/fees/claim/prepare'),
  RATE_LIMIT_ASSET_INDEX: rateLimit('RATE_LIMIT_ASSET_INDEX', 'GET /api/public/total-assets'),
};

function rateLimit(name: keyof typeof PUBLISHED_RATE_LIMITS, what: string) {
  return Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: PUBLISHED_RATE_LIMITS[name],
    description: `Requests a minute per client address: ${what}`,
  });
}

type RateLimitValues = Static<TObject<typeof rateLimitVariables>>;

/** Requests a minute per client address, of each group that has a counter of its own. */
export interface RateLimits {
  readonly api: number;
  readonly launchPrepare: number;
  readonly claimPrepare: number;
  readonly assetIndex: number;
}

/** The limits, out of validated variables. */
export function rateLimitsConfig(values: RateLimitValues): RateLimits {
  return {
    api: values.RATE_LIMIT_API,
    launchPrepare: values.RATE_LIMIT_LAUNCH_PREPARE,
    claimPrepare: values.RATE_LIMIT_CLAIM_PREPARE,
    assetIndex: values.RATE_LIMIT_ASSET_INDEX,
  };
}

/** The published limits bind every client; only a load test on loopback may raise them. */
export function raisedLimits(values: RateLimitValues): string[] {
  const names = Object.keys(PUBLISHED_RATE_LIMITS) as (keyof typeof PUBLISHED_RATE_LIMITS)[];
  return names
    .filter((name) => values[name] > PUBLISHED_RATE_LIMITS[name])
    .map((name) => `${name}=${values[name]} is above the published limit, which is refused in production`);
}
