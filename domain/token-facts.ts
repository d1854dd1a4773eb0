/** Most decimals of a quote token that terms can state. */
export const MOST_QUOTE_DECIMALS = 18;

/** 1,000,000,000 with 9 decimals. */
export const TOKEN_DECIMALS = 9;
export const TOTAL_SUPPLY_RAW = 1_000_000_000n * 10n ** BigInt(TOKEN_DECIMALS);

/** Market cap at which a pool opens. */
export const OPENING_MARKET_CAP_USD = 5_000;

export const DEV_BUY_MAX_BPS = 250;

export const AIRDROP_MAX_BPS = 5_000;

export const NAME_MAX_BYTES = 32;
export const SYMBOL_MAX_BYTES = 10;
export const LOGO_MAX_BYTES = 512 * 1024;

export const LAUNCH_MODES = ['standard', 'reward'] as const;

export type LaunchMode = (typeof LAUNCH_MODES)[number];

/** Fee tiers, the cheaper one first. */
export const FEE_TIERS = ['1%', '2%'] as const;

export type FeeTier = (typeof FEE_TIERS)[number];

export const REWARD_TAXES_BPS = [100, 300] as const;

export type RewardTaxBps = (typeof REWARD_TAXES_BPS)[number];

/** Smallest first. */
export const AIRDROP_TIERS = ['top100', 'top1000', 'top5000'] as const;

export type AirdropTier = (typeof AIRDROP_TIERS)[number];

export const AIRDROP_RECIPIENTS = { top100: 100, top1000: 1_000, top5000: 5_000 } as const satisfies Record<
  AirdropTier,
  number
>;

/** False: pools take fees in the token paid in. */
export const QUOTE_ONLY_FEES = false;
