/** The commands of `slipway verify` that run named checks. */
export type VerifyCommand =
  | 'round'
  | 'launch'
  | 'airdrop'
  | 'receipt'
  | 'claim'
  | 'wallets'
  | 'statement'
  | 'budget'
  | 'treasury'
  | 'revenue';

/** Checks of one meaning, by the names that the commands print. */
export interface DocumentedCheck {
  readonly commands: readonly VerifyCommand[];
  readonly names: readonly string[];
  readonly proven: string;
  /** When an honest platform can look the same as a dishonest one. */
  readonly open?: string;
  /** Nothing can prove it. */
  readonly isAlwaysOpen?: true;
}
