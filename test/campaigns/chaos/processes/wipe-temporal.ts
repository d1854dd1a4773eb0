import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { LAUNCH_JANITOR_ROUND } from '../../../../workflows/launch/messages.ts';
import { eventually } from '../../../support/platform/eventually.ts';
import type { Strike } from './freeze-and-strike.ts';
import { trigger } from './kill-at.ts';
import type { RealStack } from './real-stack.ts';

/** How long the platform may take to prepare an empty namespace by itself, in ms. */

/**
 * Temporal dies and comes back with nothing it knew: no workflow, no history, no schedule. Nobody restarts anything else;
 * once the janitor's schedule is there again, it is asked to go round at once instead of half a minute later.
 */
export const WIPE_TEMPORAL: Strike = {
  endsWorker: false,
  async act(stack) {
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(join(stack.layout.temporal, `temporal.db${suffix}`), { force: true });
    }
    await stack.kill('temporal');
    await letJanitorGoRound(stack);
  },
};

async function letJanitorGoRound(stack: RealStack): Promise<void> {
  await sql`update launches set updated_at = now() - interval '1 minute'
    where state not in ('finalized', 'refunded', 'not_landed')`.execute(stack.db);
  await eventually(
    async () => (await trigger(stack, LAUNCH_JANITOR_ROUND)) || null,
    'the janitor in an empty namespace',
  );
}
