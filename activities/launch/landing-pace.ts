import { NO_HINTS } from '../../chain/rpc/landing-hints.ts';
import type { FollowSettings } from '../money/deps.ts';
import type { LaunchDeps } from './deps.ts';

export interface LandingPace {
  /** Returns how many ms its read may wait for reads of other launches. */
  next(): Promise<number>;
  stop(): void;
}

/** Polls are rarer by this factor while a subscription will notify. */
const TOLD_LESS = 4;

/** The interval grows to this part of the bundle's age: most land within seconds. */
const PART_OF_AGE = 0.1;

/**
 * Polls every `pollMs`, less often while a subscription is live, growing with the bundle's age up to `resendMs`. A
 * notification of the transaction (base58) polls at once.
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
  return Math.max(pollMs * (isListening ? TOLD_LESS : 1), Math.min(resendMs, ageMs * PART_OF_AGE));
}
