import type { FeeTier } from '../../domain/token-facts.ts';

/** A fee tier is not what the platform offers it as, or not at all; trying again does not help before somebody changes it. */
export class TierClosedError extends RangeError {
  constructor(tier: FeeTier, problem: string) {
    super(`the ${tier} tier is closed: ${problem}`);
    this.name = 'TierClosedError';
  }
}
