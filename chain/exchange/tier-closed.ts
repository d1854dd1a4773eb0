import type { FeeTier } from '../../domain/token-facts.ts';

/** A retry does not help until the configuration changes. */
export class TierClosedError extends RangeError {
  constructor(tier: FeeTier, problem: string) {
    super(`the ${tier} tier is closed: ${problem}`);
    this.name = 'TierClosedError';
  }
}
