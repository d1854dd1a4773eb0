import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { LaunchDeps } from './deps.ts';

export async function landAgain(deps: LaunchDeps, quoteId: string, from: 'recording' | 'completed'): Promise<void> {
  const note = 'a fork took back a confirmed transaction; sent again';
  const moved = await transitionLaunch(deps.db, quoteId, [from], 'landing', { note });
  deps.logger.warn({ from, moved }, 'launch lands again after a fork');
}
