import type { Fault } from '../../../dev/block-engine/fault.ts';
import * as lateQuotes from '../../../db/launch/late-quotes.ts';
import * as launches from '../../../db/launch/launches.ts';
import { landedMemos } from './chain-facts.ts';
import type { Creator, Prepared, Submission } from './creator.ts';
import { letEverythingExpire } from './doom.ts';
import { eventually } from './eventually.ts';
import { storyOf } from './launch-story.ts';
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

/** How often a quote may expire before its launch is where it was to be brought. */
const QUOTES = 5;

/**
 * Begins a launch under a fault of the block engine and waits until `look` returns more than null. On a machine that
 * stands still quotes expire; then it prepares again, as a client would.
 */
async function beginUntil<T>(
  platform: Platform,
  creator: Creator,
  fault: Fault,
  look: (launch: PendingLaunch) => Promise<T | null>,
  wish?: object,
): Promise<PendingLaunch> {
  for (let quotes = 1; ; quotes++) {
    platform.engine.setFault(fault);
    const launch = await begin(creator, wish);
    const { quoteId } = launch.prepared;
    const isThere = await eventually(
      async () => {
        if ((await look(launch)) !== null) return true;
        const isOver = (await launches.byQuoteId(platform.db, quoteId))?.state === 'not_landed';
        return isOver || (await lateQuotes.byQuoteId(platform.db, quoteId)) ? false : null;
      },
      `launch ${quoteId} where it was to be brought`,
      () => storyOf(platform, quoteId),
    );
    if (isThere) return launch;
    if (quotes === QUOTES) throw new Error(`it was over too soon: ${await storyOf(platform, quoteId)}`);
  }
}

/** Begins a launch whose bundle is dropped, and waits until it is being sent. */
export function beginUnlanded(platform: Platform, creator: Creator, wish?: object): Promise<PendingLaunch> {
  const isLanding = async ({ prepared }: PendingLaunch) =>
    (await launches.byQuoteId(platform.db, prepared.quoteId))?.state === 'landing' || null;
  return beginUntil(platform, creator, { fault: 'drop' }, isLanding, wish);
}

/** Lands the first transactions of a new launch and drops everything after. */
export async function landPrefix(platform: Platform, creator: Creator, prefixLength: number, wish?: object) {
  // The platform sends the rest at once, before anything can be dropped: no second prefix of it may land.
  const fault: Fault = { fault: 'prefix', prefixLength, once: true };
  const hasLanded = async ({ prepared }: PendingLaunch) =>
    (await landedMemos(platform, prepared)).length === prefixLength || null;
  const launch = await beginUntil(platform, creator, fault, hasLanded, wish);
  platform.engine.setFault({ fault: 'drop' });
  return launch;
}

/** The same, and lets what did not land expire. */
export async function landPrefixOnly(platform: Platform, creator: Creator, prefixLength: number, wish?: object) {
  const launch = await landPrefix(platform, creator, prefixLength, wish);
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
