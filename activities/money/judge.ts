import { hasExpired } from '../../chain/lanes/has-expired.ts';
import { agreedValue, type LaneReading, type LaneValues } from '../../chain/lanes/lane-reading.ts';
import { numberOf } from '../../chain/lanes/lane-secret.ts';
import type { SignatureStatus } from '../../chain/rpc/statuses.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as laneRows from '../../db/money/lanes.ts';
import {
  end,
  type Entries,
  type Entry,
  type FollowerOptions,
  forget,
  isFinal,
  MOST_FAILURES,
  type Outcome,
} from './in-flight.ts';
import { learnLane } from './learn.ts';

/** Judges movements by their lanes; a status only says when to read them. */
export async function judge(options: FollowerOptions, entries: Entries, looked: readonly Entry[]): Promise<void> {
  const { lanes } = await options.ground();
  const mintOf = ({ followed }: Entry) => lanes[followed.lane]!.mint.toBase58();
  const { reading, isDead } = await readLanesOf(options, looked, [...new Set(looked.map(mintOf))]);
  const judged = looked.map((entry) => ({ entry, value: agreedValue(reading, mintOf(entry)), mint: mintOf(entry) }));
  for (const one of judged) one.entry.isUnmoved = isFinal(one.entry.seen) && !hasMoved(one);
  try {
    await bookMoved(options, entries, judged.filter(hasMoved));
  } finally {
    // Ended versions are reported even if booking fails for other lanes.
    const waiting = judged.filter(({ entry, value }) => value === entry.followed.from);
    await bookEnded(options, entries, waiting, isDead);
  }
}

interface LaneLook {
  readonly reading: LaneReading<LaneValues>;
  readonly isDead: (judged: Judged) => boolean;
}

/** Heights only if something may have expired. For final versions, values as of their slot suffice. */
async function readLanesOf(
  { rpc }: FollowerOptions,
  looked: readonly Entry[],
  mints: readonly string[],
): Promise<LaneLook> {
  if (looked.every(({ seen, isUnmoved }) => isFinal(seen) && !isUnmoved)) {
    const newest = Math.max(...looked.map(({ seen }) => seen?.slot ?? 0));
    return { reading: await rpc.readLaneValues(mints, newest), isDead: () => false };
  }
  const reading = await rpc.readLanes(mints);
  return { reading, isDead: ({ mint, entry }) => hasExpired(reading, mint, entry.followed) };
}

interface Judged {
  readonly entry: Entry;
  /** By a quorum. */
  readonly value: bigint | null;
  readonly mint: string;
}

type Moved = Judged & { readonly value: bigint };

function hasMoved(judged: Judged): judged is Moved {
  const { entry, value } = judged;
  return value !== null && value !== entry.followed.from && numberOf(value) >= entry.followed.number;
}

async function bookMoved(options: FollowerOptions, entries: Entries, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return;
  const landed = moved.filter(({ entry, value }) => value === entry.followed.to && isFinalSuccess(entry.seen));
  const booked = await laneRows.advance(
    options.db,
    landed.map(({ entry }) => doneOf(entry)),
  );
  const others = moved.filter(({ entry }) => !booked.some(({ lane }) => lane === entry.followed.lane));
  if (others.length > 0) await learnMoved(options, entries, others);
  const done = await laneSteps.doneAmong(
    options.db,
    moved.map(({ entry }) => entry.followed),
  );
  for (const { entry } of moved) {
    const step = done.find(({ lane, number }) => lane === entry.followed.lane && number === entry.followed.number);
    if (step) end(entries, entry, outcomeOf(entry, step));
  }
}

/** A lane that cannot be learned does not block the others. */
async function learnMoved(options: FollowerOptions, entries: Entries, moved: readonly Moved[]): Promise<void> {
  const ground = await options.ground();
  const values = new Map(moved.map(({ entry, value }) => [entry.followed.lane, value]));
  for (const { lane, value: from } of await laneRows.all(options.db)) {
    const to = values.get(lane);
    if (to === undefined || numberOf(to) <= numberOf(from)) continue;
    try {
      await learnLane(options, ground, ground.lanes[lane]!, { from, to });
    } catch (error) {
      options.logger.warn({ err: error, lane }, 'a lane moved on and could not be learned');
      const waiting = moved.filter(({ entry }) => entry.followed.lane === lane);
      for (const { entry } of waiting) noteUnlearned(entries, entry, error);
    }
  }
}

/** Notes a lane that cannot be learned. No caller waits for ever for it; it may call again. */
function noteUnlearned(entries: Entries, entry: Entry, error: unknown): void {
  entry.unlearned += 1;
  if (entry.unlearned < MOST_FAILURES) return;
  forget(entries, entry);
  entry.fail(error);
}

function isFinalSuccess(seen: SignatureStatus | null): boolean {
  return isFinal(seen) && seen?.err === null;
}

function doneOf({ followed, seen }: Entry): laneRows.DoneStep {
  const { lane, number, from, to, digest, signature } = followed;
  return { lane, number, from, to, digest, signature, slot: BigInt(seen?.slot ?? 0) };
}

function outcomeOf({ followed }: Entry, { toValue, signature, slot }: laneSteps.SettledStep): Outcome {
  return toValue === followed.to ? { kind: 'done', signature, slot } : { kind: 'overtaken' };
}

async function bookEnded(
  { db }: FollowerOptions,
  entries: Entries,
  waiting: readonly Judged[],
  isDead: LaneLook['isDead'],
): Promise<void> {
  const failed = waiting.filter(({ entry: { seen } }) => isFinal(seen) && seen?.err !== null);
  const dead = waiting.filter((one) => !failed.includes(one) && isDead(one));
  if (failed.length + dead.length === 0) return;
  await laneSteps.end(db, {
    dead: dead.map(({ entry }) => entry.followed.signature),
    failed: failed.map(({ entry: { followed, seen } }) => ({
      signature: followed.signature,
      error: JSON.stringify(seen?.err),
      slot: BigInt(seen?.slot ?? 0),
    })),
  });
  for (const { entry } of dead) end(entries, entry, { kind: 'expired' });
  for (const { entry } of failed) end(entries, entry, failureOf(entry));
}

function failureOf({ followed, seen }: Entry): Outcome {
  return { kind: 'failed', signature: followed.signature, error: JSON.stringify(seen?.err) };
}
