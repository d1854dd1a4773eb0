/** Rules of a deployment; exact decimals. */
export interface RewardRules {
  /** Minimum holding that earns rewards, in USD. */
  readonly minHoldingUsd: string;
  /** After an account's rent. */
  readonly minPayoutUsd: string;
}
