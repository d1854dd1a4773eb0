import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { agreedValue, type LaneReading, type LaneValues } from '../../chain/lanes/lane-reading.ts';
import { hasExpired } from '../../chain/lanes/has-expired.ts';
import { numberOf } from '../../chain/lanes/lane-secret.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { SignatureStatus } from '../../chain/rpc/statuses.ts';
import type { Db } from '../../db/connect.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as laneRows from '../../db/money/lanes.ts';
import type { LaneGround } from './lane-ground.ts';
import { learnLane } from './learn.ts';

/** A signed version that is to be sent and followed. */
export interface Followed {
  /** base58 */
  readonly signature: string;
  readonly lane: number;
  readonly number: number;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Uint8Array;
  readonly lastValidBlockHeight: number;
  /** Hands the bytes to the chain. */
  readonly send: () => Promise<unknown>;
}

/**
 * What became of a version. `done` its step is final, by this transaction or another with the same content · `failed` it is final
 * with an error: it paid its fee and moved nothing · `expired` it can not land any more · `overtaken` another movement made the
 * step with its number.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly signature: string; readonly slot: bigint }
  | { readonly kind: 'failed'; readonly signature: string; readonly error: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'overtaken' };

/** What following uses from outside. */
export interface FollowerOptions {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly logger: Logger;
  readonly pollMs: number;
  readonly resendMs: number;
  readonly ground: () => Promise<LaneGround>;
}

/** Looks at everything in flight together: calls grow with time and with what is decided, not with what waits. */
export interface Follower {
  follow(followed: Followed): Promise<Outcome>;
}

interface Entry {
  readonly followed: Followed;
  readonly outcome: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
  seen: SignatureStatus | null;
  /** When it was first seen in a block, on the clock of `performance.now()`; null while it is in none. */
  inBlockAt: number | null;
  nextSendAt: number;
  /** How often its lane had moved on and could not be learned. */
  unlearned: number;
  /** Whether its lane stood where it had, or nobody knows where, although it was final: it may never have been. */
  isUnmoved: boolean;
}

/** Lanes of what no endpoint has seen yet are looked at every so many looks: that is how it is noticed that it expired. */
const LOOKS_PER_UNSEEN_LOOK = 5;

/** What is in a block becomes final so many pauses after it was first seen there, mostly; until then only a fork could change it. */
const PAUSES_TO_FINALITY = 12.5;

/** Longest pause while all that is in flight is in a block, in pauses: so late a fork is noticed at most. */
const LONGEST_PAUSES = 6.25;

/** So small a part of a pause the first send waits for others that begin with it. */
const GATHERED_PER_PAUSE = 20;

/** So many looks in a row may fail before everybody who waits is told; so many at one lane, before those who wait for it are. */
const MOST_FAILURES = 10;

/** Nothing is in flight; it looks at the chain only while something is. */
export function createFollower(options: FollowerOptions): Follower {
  const entries = new Map<string, Entry>();
  let running: Promise<void> | null = null;
  let wake = (): void => undefined;
  const pause = async (): Promise<void> => {
    await sleep(options.pollMs);
    const { promise: woken, resolve } = Promise.withResolvers<boolean>();
    wake = () => resolve(true);
    const timer = setTimeout(wake, restMs(options, [...entries.values()]));
    await woken;
    clearTimeout(timer);
  };
  const run = async (): Promise<void> => {
    // What begins at the same time is sent, and looked at, together.
    await sleep(options.pollMs / GATHERED_PER_PAUSE);
    for (let look = 0, failures = 0; entries.size > 0; look++) {
      const failure = await lookOnce(options, entries, look);
      failures = failure === null ? 0 : failures + 1;
      if (failure && failures >= MOST_FAILURES) failAll(entries, failure.error);
      if (entries.size > 0) await pause();
    }
  };
  const start = (): void => {
    running ??= run().finally(() => {
      running = null;
      if (entries.size > 0) start();
    });
  };
  return {
    follow(followed) {
      // Two runs of one movement follow the same bytes, where one of them was given up and does not know it yet: both hear of the end.
      const known = entries.get(followed.signature);
      if (known) return known.outcome;
      const { promise: outcome, resolve: settle, reject: fail } = Promise.withResolvers<Outcome>();
      const fresh = { followed, seen: null, inBlockAt: null, nextSendAt: 0, unlearned: 0, isUnmoved: false };
      entries.set(followed.signature, { ...fresh, outcome, settle, fail });
      start();
      wake();
      return outcome;
    },
  };
}

/** What is waited beyond a pause, ms: while everything is in a block and nothing of it can be final yet, there is nothing to see. */
function restMs({ pollMs }: FollowerOptions, entries: readonly Entry[]): number {
  const now = performance.now();
  const dueIn = entries.map(({ inBlockAt }) =>
    inBlockAt === null ? 0 : inBlockAt + PAUSES_TO_FINALITY * pollMs - now,
  );
  return Math.max(0, Math.min((LONGEST_PAUSES - 1) * pollMs, ...dueIn));
}

type Entries = Map<string, Entry>;

/** One look. Answers why it failed, null where it did not; what it decided before it failed stays decided. */
async function lookOnce(options: FollowerOptions, entries: Entries, look: number): Promise<{ error: unknown } | null> {
  try {
    const isAllNew = [...entries.values()].every(({ nextSendAt }) => nextSendAt === 0);
    await sendDue(options, [...entries.values()]);
    // No status tells of what was handed over only now.
    if (isAllNew) return null;
    await readStatuses(options, [...entries.values()]);
    const looked = [...entries.values()].filter(({ seen }) => isWorthALook(seen, look));
    if (looked.length > 0) await judge(options, entries, looked);
    return null;
  } catch (error) {
    options.logger.warn({ err: error, inFlight: entries.size }, 'could not look at what is in flight');
    return { error };
  }
}

function failAll(entries: Entries, error: unknown): void {
  for (const { fail } of entries.values()) fail(error);
  entries.clear();
}

/** The same bytes are sent again until they are in a block. A send that fails is no verdict. */
async function sendDue({ logger, resendMs }: FollowerOptions, entries: readonly Entry[]): Promise<void> {
  const now = performance.now();
  const due = entries.filter(({ seen, nextSendAt }) => !isInABlock(seen) && now >= nextSendAt);
  const sends = due.map(async (entry) => {
    entry.nextSendAt = now + resendMs;
    await entry.followed.send();
  });
  for (const result of await Promise.allSettled(sends)) {
    if (result.status === 'rejected') logger.warn({ err: result.reason }, 'a transaction was not taken');
  }
}

function isInABlock(seen: SignatureStatus | null): boolean {
  return seen !== null && seen.commitment !== 'processed';
}

async function readStatuses({ rpc }: FollowerOptions, entries: readonly Entry[]): Promise<void> {
  const signatures = entries.map(({ followed }) => followed.signature);
  const statuses = await rpc.recentStatuses(signatures, 0);
  const now = performance.now();
  entries.forEach((entry, index) => {
    entry.seen = statuses[index] ?? null;
    entry.inBlockAt = isInABlock(entry.seen) ? (entry.inBlockAt ?? now) : null;
  });
}

function isWorthALook(seen: SignatureStatus | null, look: number): boolean {
  return isFinal(seen) || (!isInABlock(seen) && look % LOOKS_PER_UNSEEN_LOOK === LOOKS_PER_UNSEEN_LOOK - 1);
}

/** Asks the lanes what became of versions; a status is only what says when to ask. */
async function judge(options: FollowerOptions, entries: Entries, looked: readonly Entry[]): Promise<void> {
  const { lanes } = await options.ground();
  const mintOf = ({ followed }: Entry) => lanes[followed.lane]!.mint.toBase58();
  const { reading, isDead } = await readLanesOf(options, looked, [...new Set(looked.map(mintOf))]);
  const judged = looked.map((entry) => ({ entry, value: agreedValue(reading, mintOf(entry)), mint: mintOf(entry) }));
  for (const one of judged) one.entry.isUnmoved = isFinal(one.entry.seen) && !hasMoved(one);
  try {
    await bookMoved(options, entries, judged.filter(hasMoved));
  } finally {
    // What other lanes have done keeps nobody waiting who waits in vain.
    const waiting = judged.filter(({ entry, value }) => value === entry.followed.from);
    await bookEnded(options, entries, waiting, isDead);
  }
}

/** What endpoints say of lanes, and what can not land any more by it. */
interface LaneLook {
  readonly reading: LaneReading<LaneValues>;
  readonly isDead: (judged: Judged) => boolean;
}

/** Heights are asked for only where something may have expired; of what is final, lanes as they were in its slot or later say enough. */
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
  /** What a quorum says of its lane; null where there is none. */
  readonly value: bigint | null;
  readonly mint: string;
}

type Moved = Judged & { readonly value: bigint };

function hasMoved(judged: Judged): judged is Moved {
  const { entry, value } = judged;
  return value !== null && value !== entry.followed.from && numberOf(value) >= entry.followed.number;
}

/** Moves the ledger's lanes to where the chain's are: mostly by the very transactions that are followed. */
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

/** Of lanes that something else has moved on, or that the ledger is behind on: one that cannot be learned keeps no other one. */
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

/** Nobody waits for ever for a lane that cannot be learned: whoever asked may ask again. */
function noteUnlearned(entries: Entries, entry: Entry, error: unknown): void {
  entry.unlearned += 1;
  if (entry.unlearned < MOST_FAILURES) return;
  forget(entries, entry);
  entry.fail(error);
}

function isFinal(seen: SignatureStatus | null): boolean {
  return seen?.commitment === 'finalized';
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

/** Of lanes that stand where they stood: what failed for good, and what can not land any more. */
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

function end(entries: Entries, entry: Entry, outcome: Outcome): void {
  forget(entries, entry);
  entry.settle(outcome);
}

/** Whoever was told may follow the same bytes anew before the look is over: that is another entry, and stays. */
function forget(entries: Entries, entry: Entry): void {
  const { signature } = entry.followed;
  if (entries.get(signature) === entry) entries.delete(signature);
}
