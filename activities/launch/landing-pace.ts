import { NO_HINTS } from '../../chain/rpc/landing-hints.ts';
import type { LaunchDeps } from './deps.ts';

/** The pauses between looks at a bundle that is landing. */
export interface LandingPace {
  /** Waits until it is time for the next look, and answers how many ms its reading may wait for those of others. */
  next(): Promise<number>;
  stop(): void;
}

/** So much less often is asked what a subscription will tell of. */
const TOLD_LESS = 4;

/** Looks every `pollMs`, or at once where an endpoint tells of this transaction (base58), and then more seldom until it does. */
export function createLandingPace(deps: LaunchDeps, signature: string | undefined): LandingPace {
  const { settings } = deps;
  let wake: () => void = () => undefined;
  let isTold = false;
  const hints = signature === undefined ? NO_HINTS : deps.hints;
  const listening = hints.listen(signature ?? '', () => {
    isTold = true;
    wake();
  });
  return {
    async next() {
      const paceMs = settings.pollMs * (listening.isLive() ? TOLD_LESS : 1);
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
