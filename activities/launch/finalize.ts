import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { FOLLOWED_LESS } from '../money/book-statuses.ts';
import { followBundle, isWhole, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { landAgain } from './land-again.ts';

/** If a fork reverts a part, the launch returns to `landing`, which resends the same bytes. */
export async function finalizeLaunch(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'completed') return;
  const patienceMs = (deps.settings.pollMs * FOLLOWED_LESS) / 2;
  let bundle: readonly ChainTransaction[] = await readBundle(deps.db, launch.quoteId);
  for (;;) {
    deps.heartbeat();
    // The read may wait for half of the interval, so that launches of this process share one request.
    bundle = await followBundle(deps, launch, bundle, patienceMs);
    if (!isWhole(bundle)) return landAgain(deps, launch.quoteId, 'completed');
    if (bundle.every(({ status }) => status === 'finalized')) return conclude(deps, launch, bundle);
    await deps.sleep(patienceMs);
  }
}

async function conclude(
  deps: LaunchDeps,
  { quoteId, terms }: LaunchRecord,
  bundle: readonly ChainTransaction[],
): Promise<void> {
  await transitionLaunch(deps.db, quoteId, ['completed'], 'finalized', { slot: bundle.at(-1)?.slot ?? undefined });
  if (terms.airdrop) await beginAirdrop(deps, quoteId);
}

/** Starts the airdrop; not awaited. The janitor makes up for a failed start. */
async function beginAirdrop(deps: LaunchDeps, quoteId: string): Promise<void> {
  try {
    await deps.startAirdrop(quoteId);
  } catch (error) {
    deps.logger.warn({ err: error }, 'the airdrop is left to the janitor');
  }
}
