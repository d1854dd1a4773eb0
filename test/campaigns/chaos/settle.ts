import { setTimeout as sleep } from 'node:timers/promises';
import * as launches from '../../../db/launch/launches.ts';
import { RESOLUTION_ACTIONS } from '../../../domain/launch/operator-decision.ts';
import { isSettled } from '../../../domain/launch/machine.ts';
import { launchPrefix } from '../../../domain/purpose.ts';
import { OpsError } from '../../../ops/io.ts';
import { sendDecision } from '../../../ops/commands/launch/send-decision.ts';
import { signatureIn } from '../../support/platform/creator.ts';
import { letEverythingExpire } from '../../support/platform/doom.ts';
import { storyOf } from '../../support/platform/launch-story.ts';
import type { Arena } from './arena.ts';
import type { Contender } from './contender.ts';
import type { Random } from './random.ts';
import { standingOf } from '../../../db/launch/launch-standing.ts';

/** How long a launch may take to come to rest by itself once nothing is broken any more, in ms. */
const BY_ITSELF_MS = 6_000;
/** And after that, once every blockhash has expired and the janitor went round, in ms. */
const AT_LAST_MS = 200_000;

/**
 * Follows a launch to its very end once nothing is broken any more: lets time pass, lets the janitor go round, decides as an
 * operator where it waits for one, and looks at the status once more when nothing can change it. Throws where it does not
 * come to rest.
 */
export async function settle(arena: Arena, contender: Contender, random: Random): Promise<void> {
  const began = Date.now();
  let hasExpired = false;
  for (;;) {
    const state = await stateOf(arena, contender);
    if (state === undefined ? contender.ending() !== undefined : isSettled(state)) break;
    if (state === 'needs_recovery') await decide(arena, contender, random);
    if (state === 'completed') arena.platform.chain.control.advanceSlots(1);
    const waited = Date.now() - began;
    if (waited > AT_LAST_MS) throw new Error(await whatStays(arena, contender));
    if (waited > BY_ITSELF_MS && !hasExpired) {
      hasExpired = true;
      letEverythingExpire(arena.platform);
      await arena.runJanitor();
    }
    await sleep(50);
  }
  await sendEverythingAgain(arena, contender);
  await Promise.race([contender.ended, sleep(AT_LAST_MS)]);
  contender.log.note(await contender.creator.status(signatureIn(contender.submission.signedTransaction)));
}

async function whatStays({ platform }: Arena, { prepared: { quoteId } }: Contender): Promise<string> {
  return `launch ${quoteId} does not come to rest; ${await storyOf(platform, quoteId)}`;
}

async function stateOf({ platform }: Arena, { prepared }: Contender) {
  return (await launches.byQuoteId(platform.db, prepared.quoteId))?.state;
}

/** Any of the decisions an operator can take; a wrong one is refused, and another is taken. */
async function decide({ platform }: Arena, { prepared }: Contender, random: Random): Promise<void> {
  const parking = (await standingOf(platform.db, prepared.quoteId))?.parking ?? 1;
  const resolution = { action: random.pick(RESOLUTION_ACTIONS), parking, note: 'decided by chance', actor: 'chaos' };
  try {
    await sendDecision(platform, prepared.quoteId, resolution, 5_000);
  } catch (error) {
    if (!(error instanceof OpsError)) throw error;
  }
}

/** What a block engine or a validator kept, it may send at any time: everything that ever left the platform comes again. */
async function sendEverythingAgain({ platform }: Arena, { prepared }: Contender): Promise<void> {
  const { db, connection, chain } = platform;
  const rows = await db
    .selectFrom('chainTransactions')
    .select(['wire', 'status'])
    .where('purpose', 'like', `${launchPrefix(prepared.quoteId)}%` as never)
    .orderBy('attempt')
    .orderBy('purpose')
    .execute();
  for (const { wire, status } of rows) {
    if (status === 'abandoned' || status === 'signed') continue;
    // The node refuses what cannot land any more, which is as it should be.
    await connection.sendRawTransaction(wire, { skipPreflight: true, maxRetries: 0 }).catch(() => undefined);
  }
  chain.control.advanceSlots(34);
}
