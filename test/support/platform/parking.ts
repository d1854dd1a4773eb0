import { setTimeout as sleep } from 'node:timers/promises';
import { landedMemos } from './chain-facts.ts';
import type { Creator, Prepared, Submission } from './creator.ts';
import { letEverythingExpire } from './doom.ts';
import { eventually } from './eventually.ts';
import type { Platform } from './platform.ts';
import { untilState } from './until-state.ts';

/** A launch under way: what was prepared and submitted, and the answer it will get. */
export interface PendingLaunch {
  readonly prepared: Prepared;
  readonly submission: Submission;
  readonly pending: ReturnType<Creator['submit']>;
}

/** Prepares, signs and submits without waiting for the answer. */
export async function begin(creator: Creator, wish: object = {}): Promise<PendingLaunch> {
  const prepared = await creator.prepare(wish);
  const submission = creator.sign(prepared);
  return { prepared, submission, pending: creator.submit(submission) };
}

/** Lands the first transactions of a new launch, drops everything after, and lets what did not land expire. */
export async function landPrefixOnly(platform: Platform, creator: Creator, prefixLength: number, wish?: object) {
  platform.engine.setFault({ fault: 'prefix', prefixLength, times: 1 });
  const launch = await begin(creator, wish);
  // Well before the bundle is sent again.
  let answer: unknown;
  void launch.pending.then((early) => (answer = early));
  while (platform.engine.fault().fault === 'prefix') {
    if (answer !== undefined) throw new Error(`the launch ended before its bundle was sent: ${JSON.stringify(answer)}`);
    await sleep(2);
  }
  platform.engine.setFault({ fault: 'drop' });
  await eventually(async () => (await landedMemos(platform, launch.prepared)).length === prefixLength || null);
  letEverythingExpire(platform);
  return launch;
}

/** Lands a prefix and lets every further try die, until the launch waits for an operator. */
export async function parkAfterPrefix(platform: Platform, creator: Creator, prefixLength: number, wish?: object) {
  const launch = await landPrefixOnly(platform, creator, prefixLength, wish);
  for (let tries = 0; tries < 4; tries++) await killNextTry(platform, launch.prepared);
  await untilState(platform, launch.prepared, 'needs_recovery');
  return launch;
}

/** Waits for the next try at the rest, which is dropped, and lets it expire. */
async function killNextTry(platform: Platform, { quoteId }: Prepared): Promise<void> {
  if (platform.gate.calls('resolveLaunch', quoteId) > 0) return;
  const calls = platform.gate.calls('landBundle', quoteId);
  await eventually(async () => {
    const row = await platform.db
      .selectFrom('launches')
      .select('state')
      .where('quoteId', '=', quoteId)
      .executeTakeFirstOrThrow();
    return row.state === 'needs_recovery' || platform.gate.calls('landBundle', quoteId) > calls || null;
  });
  letEverythingExpire(platform);
}
