import * as launches from '../../db/launch/launches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import { isWhole, observeBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { landAgain } from './land-again.ts';

/**
 * Waits until the whole bundle is finalized. Where a fork takes a part of it back, the launch goes back to `landing`,
 * which sends the same bytes at once.
 */
export async function finalizeLaunch(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  while ((await launches.byQuoteId(deps.db, launch.quoteId))?.state === 'completed') {
    deps.heartbeat();
    const bundle = await observeBundle(deps, launch);
    if (isWhole(bundle) && bundle.every((row) => row.status === 'finalized')) {
      await transitionLaunch(deps.db, launch.quoteId, ['completed'], 'finalized', {
        slot: bundle.at(-1)?.slot ?? undefined,
      });
      if (launch.terms.airdrop) await beginAirdrop(deps, launch.quoteId);
    } else if (!isWhole(bundle)) {
      await landAgain(deps, launch.quoteId, 'completed');
    } else {
      await deps.sleep(deps.settings.pollMs * 4);
    }
  }
}

/** The launch does not wait for it: where it does not start, the janitor starts it. */
async function beginAirdrop(deps: LaunchDeps, quoteId: string): Promise<void> {
  try {
    await deps.startAirdrop(quoteId);
  } catch (error) {
    deps.logger.warn({ err: error }, 'the airdrop is left to the janitor');
  }
}
