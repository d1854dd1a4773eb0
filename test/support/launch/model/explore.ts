import { isSettled } from '../../../../domain/launch/machine.ts';
import { phaseOf } from '../../../../domain/launch/state.ts';
import { brokenPromises } from './promises.ts';
import { happeningsIn, type Scope } from './service.ts';
import { BrokenPromise, keyOf, startWorld, type World } from './world.ts';

/** What an exploration found. */
export interface Exploration {
  /** Worlds that can come about. */
  readonly states: number;
  /** Single happenings that lead from one to another. */
  readonly transitions: number;
  /** A broken promise and the shortest way to it; undefined when every promise holds everywhere. */
  readonly broken?: { readonly promise: string; readonly path: readonly string[] };
  /** The way to a world from which no fair run settles the launch; undefined when there is none. */
  readonly deadEnd?: readonly string[];
}

/** The worlds found so far, each with how it came about. */
interface Found {
  readonly worlds: World[];
  readonly indexes: Map<string, number>;
  readonly parents: number[];
  readonly deeds: string[];
  /** Fair happenings backwards: for each world, those from which it follows. */
  readonly fairBefore: number[][];
}

/** Visits every world that can come about, in the order of distance from the start, until a promise is broken. */
export function explore(scope: Scope): Exploration {
  const found: Found = { worlds: [], indexes: new Map(), parents: [], deeds: [], fairBefore: [] };
  let transitions = 0;
  add(found, startWorld(scope.transactions), -1, 'start');
  for (let at = 0; at < found.worlds.length; at++) {
    const world = found.worlds[at]!;
    const broken = expand(found, world, at, scope);
    if (typeof broken === 'string') {
      return { states: found.worlds.length, transitions, broken: { promise: broken, path: pathTo(found, at) } };
    }
    transitions += broken;
  }
  const stuck = firstDeadEnd(found);
  const states = found.worlds.length;
  return stuck === undefined ? { states, transitions } : { states, transitions, deadEnd: pathTo(found, stuck) };
}

/** Adds what follows from a world. Answers how much that is, or the promise that is broken in it or by it. */
function expand(found: Found, world: World, at: number, scope: Scope): number | string {
  const [promise] = brokenPromises(world);
  if (promise !== undefined) return promise;
  try {
    const happenings = happeningsIn(world, scope);
    for (const { world: next, what, isFair } of happenings) {
      const index = add(found, afterAsking(next), at, what);
      if (isFair) found.fairBefore[index]!.push(at);
    }
    return happenings.length;
  } catch (error) {
    if (error instanceof BrokenPromise) return error.message;
    throw error;
  }
}

/** Clients ask all the time. */
function afterAsking(world: World): World {
  if (world.told || world.launch === null || phaseOf(world.launch) !== 'uncharged') return world;
  return { ...world, told: true };
}

function add(found: Found, world: World, parent: number, deed: string): number {
  const key = keyOf(world);
  const known = found.indexes.get(key);
  if (known !== undefined) return known;
  const index = found.worlds.push(world) - 1;
  found.indexes.set(key, index);
  found.parents.push(parent);
  found.deeds.push(deed);
  found.fairBefore.push([]);
  return index;
}

function pathTo(found: Found, index: number): string[] {
  const path: string[] = [];
  for (let at = index; at > 0; at = found.parents[at]!) path.push(found.deeds[at]!);
  return [...path.reverse(), keyOf(found.worlds[index]!)];
}

/**
 * The first world from which no settled one can be reached by fair happenings alone. In a finite graph there is none
 * exactly when every run settles in which whatever can happen again and again does happen.
 */
function firstDeadEnd({ worlds, fairBefore }: Found): number | undefined {
  const canSettle = new Uint8Array(worlds.length);
  const queue = worlds.flatMap(({ launch }, index) => (launch !== null && isSettled(launch) ? [index] : []));
  for (const index of queue) canSettle[index] = 1;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const before of fairBefore[at]!) {
      if (canSettle[before]) continue;
      canSettle[before] = 1;
      queue.push(before);
    }
  }
  const stuck = canSettle.indexOf(0);
  return stuck === -1 ? undefined : stuck;
}
