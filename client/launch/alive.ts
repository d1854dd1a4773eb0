import { pause, type Patience } from '../progress/follow.ts';
import type { SignedLaunch } from './signed-launch.ts';

/**
 * A signed payment can land so long, by this machine's clock: a blockhash is valid for 150 blocks, about a minute. A lying
 * platform would say that it is over.
 */
const LONGEST_ALIVE_MS = 90_000;

/** Returns ms; a record without a time, or from the future, counts as signed now. */
export function aliveUntil({ issuedAt = Infinity }: SignedLaunch, now = Date.now()): number {
  return Math.min(issuedAt, now) + LONGEST_ALIVE_MS;
}

export interface WaitOptions extends Patience {
  readonly onWaiting: (because: string) => void | Promise<void>;
}

/** Rejects if the caller aborts. */
export async function waitUntilDead(signed: SignedLaunch, { signal, onWaiting }: WaitOptions): Promise<void> {
  const until = aliveUntil(signed);
  for (let left = until - Date.now(); left > 0; left = until - Date.now()) {
    await onWaiting(
      `the payment signed before (${signed.paymentSignature}) could still land for ${Math.ceil(left / 1_000)} s`,
    );
    await pause(Math.min(left, 5_000), signal);
  }
}
