import { NO_HINTS } from '../../chain/rpc/landing-hints.ts';
import type { FollowSettings } from '../money/deps.ts';
import type { LaunchDeps } from './deps.ts';

export interface LandingPace {
  /** Waits until the next poll is due. Returns how long its read may wait for reads of other launches, ms. */
  next(): Promise<number>;
  stop(): void;
}

/** While a subscription is live, the interval between polls is this many times longer. */
const SUBSCRIBED_FACTOR = 4;

/** The interval grows with this part of the bundle's age: most bundles land within seconds. */
const PART_OF_AGE = 0.1;

/**
 * Paces the polls of one bundle. The interval begins at `pollMs` and grows with the bundle's age up to `resendMs`; it
 * is longer while a subscription is live. A notification about `signature` (base58) makes a poll due at once.
 */
export function createLandingPace(deps: LaunchDeps, signature: string | undefined): LandingPace {
  const { settings } = deps;
  let wake: () => void = () => undefined;
  let isTold = false;
  const startedAt = performance.now();
  const hints = signature === undefined ? NO_HINTS : deps.hints;
  const listening = hints.listen(signature ?? '', () => {
    isTold = true;
    wake();
  });
  return {
    async next() {
      const paceMs = paceOf(settings, performance.now() - startedAt, listening.isLive());
      if (!isTold) {
        const woken = new Promise<void>((resolve) => (wake = resolve));
        await Promise.race([deps.sleep(paceMs / 2), woken]);
      }
      if (!isTold) return paceMs / 2;
      isTold = false;
      return 0;
    },
    stop: () => listening.stop(),
  };
}

export function paceOf({ pollMs, resendMs }: FollowSettings, ageMs: number, isListening: boolean): number {
  return Math.max(pollMs * (isListening ? SUBSCRIBED_FACTOR : 1), Math.min(resendMs, ageMs * PART_OF_AGE));
}
