import { assertPlatformCanPay } from '../money/platform-funds.ts';
import type { FeeSweepDeps } from './deps.ts';

/** Rent of the two token accounts that a token's first sweep may open, 2,157,600 at most each, in lamports. */
const ACCOUNTS_LAMPORTS = 4_400_000n;

/**
 * Throws a PlatformFundsError unless the platform wallet can pay for a movement of a sweep: a transaction that it cannot pay for
 * would be sent for ever and never land.
 */
export function assertCanSweep({ rpc, signers }: FeeSweepDeps): Promise<void> {
  return assertPlatformCanPay({ rpc, platform: signers.platform }, ACCOUNTS_LAMPORTS);
}
