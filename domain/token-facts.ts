/** Total supply of every launched token: 1,000,000,000 tokens with 9 decimals, in raw units. */
export const TOKEN_DECIMALS = 9;
export const TOTAL_SUPPLY_RAW = 1_000_000_000n * 10n ** BigInt(TOKEN_DECIMALS);

/** Market cap at which a pool opens, in USD. */
export const OPENING_MARKET_CAP_USD = 5_000;

/** The largest share of the supply a dev buy may take, in bps. */
export const DEV_BUY_MAX_BPS = 250;

/** The largest share of the supply an airdrop may take, in bps. */
export const AIRDROP_MAX_BPS = 5_000;

export const NAME_MAX_BYTES = 32;
export const SYMBOL_MAX_BYTES = 10;
export const LOGO_MAX_BYTES = 512 * 1024;

export type LaunchMode = 'standard' | 'reward';

/** All fee models. */
export const LAUNCH_MODES = ['standard', 'reward'] as const satisfies readonly LaunchMode[];

export type FeeTier = '1%' | '2%';

/** All fee tiers, the cheaper one first. */
export const FEE_TIERS = ['1%', '2%'] as const satisfies readonly FeeTier[];

export type RewardTaxBps = 100 | 300;

/** All transfer taxes, in bps. */
export const REWARD_TAXES_BPS = [100, 300] as const satisfies readonly RewardTaxBps[];

export type AirdropTier = 'top100' | 'top1000' | 'top5000';

/** All airdrop tiers, the smallest first. */
export const AIRDROP_TIERS = ['top100', 'top1000', 'top5000'] as const satisfies readonly AirdropTier[];

/** Number of recipients of each airdrop tier. */
export const AIRDROP_RECIPIENTS = { top100: 100, top1000: 1_000, top5000: 5_000 } as const satisfies Record<
  AirdropTier,
  number
>;

/** Whether pools take their fees in the quote token alone: they take them in whatever a trade puts in. */
export const QUOTE_ONLY_FEES = false;
