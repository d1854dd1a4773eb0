import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { LaunchDeps } from './deps.ts';

/** A fork took back what was confirmed: the launch lands again, with the same bytes as long as they can. */
export async function landAgain(deps: LaunchDeps, quoteId: string, from: 'recording' | 'completed'): Promise<void> {
  const note = 'a fork took back a confirmed transaction; sent again';
  const moved = await transitionLaunch(deps.db, quoteId, [from], 'landing', { note });
  deps.logger.warn({ from, moved }, 'launch lands again after a fork');
}
