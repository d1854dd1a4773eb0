import Type, { type Static, type TObject } from 'typebox';

/** A minute and client address. */
const PUBLISHED_RATE_LIMITS = {
  RATE_LIMIT_API: 300,
  RATE_LIMIT_LAUNCH_PREPARE: 25,
  RATE_LIMIT_CLAIM_PREPARE: 20,
  RATE_LIMIT_ASSET_INDEX: 300,
} as const;

export const rateLimitVariables = {
  RATE_LIMIT_STORE: Type.Enum(['memory', 'postgres'], {
    default: 'memory',
    description: 'Where requests are counted: `memory` of each process, or `postgres`, shared by all',
  }),
  RATE_LIMIT_API: rateLimit('RATE_LIMIT_API', 'all other versioned endpoints together'),
  RATE_LIMIT_LAUNCH_PREPARE: rateLimit('RATE_LIMIT_LAUNCH_PREPARE', 'POST /launches/prepare'),
  RATE_LIMIT_CLAIM_PREPARE: rateLimit(
    'RATE_LIMIT_CLAIM_PREPARE',
    'POST /tokens/{mint}/fees/claim/prepare, and each position of POST /wallets/{wallet}/fees/claim/prepare',
  ),
  RATE_LIMIT_ASSET_INDEX: rateLimit('RATE_LIMIT_ASSET_INDEX', 'GET /api/public/total-assets'),
};

function rateLimit(name: keyof typeof PUBLISHED_RATE_LIMITS, what: string) {
  return Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: PUBLISHED_RATE_LIMITS[name],
    description: `Requests a minute and client address: ${what}`,
  });
}

type RateLimitValues = Static<TObject<typeof rateLimitVariables>>;

/** A minute and client address, each its own counter. */
export interface RateLimits {
  readonly api: number;
  readonly launchPrepare: number;
  readonly claimPrepare: number;
  readonly assetIndex: number;
}

export interface RateLimitsConfig extends RateLimits {
  readonly networkFactor: number;
}

export function rateLimitsConfig(values: RateLimitValues): RateLimitsConfig {
  return {
    api: values.RATE_LIMIT_API,
    launchPrepare: values.RATE_LIMIT_LAUNCH_PREPARE,
    claimPrepare: values.RATE_LIMIT_CLAIM_PREPARE,
    assetIndex: values.RATE_LIMIT_ASSET_INDEX,
    networkFactor: 4,
  };
}

export function raisedLimits(values: RateLimitValues): string[] {
  const names = Object.keys(PUBLISHED_RATE_LIMITS) as (keyof typeof PUBLISHED_RATE_LIMITS)[];
  return names
    .filter((name) => values[name] > PUBLISHED_RATE_LIMITS[name])
    .map((name) => `${name}=${values[name]} is above the published limit, which is refused in production`);
}
