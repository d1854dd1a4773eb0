/** Rules of the rounds that a deployment may set. USD are exact decimal strings. */
export interface RewardRules {
  /** Less of the token than this, in USD, earns nothing. */
  readonly minHoldingUsd: string;
  /** Least that a payout brings after the rent of an account, in USD. */
  readonly minPayoutUsd: string;
}
