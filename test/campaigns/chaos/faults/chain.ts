import { letEverythingExpire } from '../../../support/platform/doom.ts';
import { SLOT_MS } from '../arena.ts';
import { type Fault, nothingToMend, type Scene } from './fault.ts';

/** What the chain itself can do. */
export const CHAIN_FAULTS: readonly Fault[] = [
  { name: 'slot is skipped, a beginning lands again', everyRun: true, strike: skipSlot },
  { name: 'slot is skipped, any of it lands again', strike: skipSlotAnyhow },
  { name: 'fork drops many slots', strike: forkFar },
  { name: 'slots pass without blocks', strike: passEmptySlots },
  { name: 'chain stands still', strike: standStill },
  { name: 'half a blockhash life passes', strike: (scene) => pass(scene, 60 + scene.random.below(60)) },
  {
    name: 'blockhashes expire',
    strike(scene) {
      letEverythingExpire(scene.arena.platform);
      return nothingToMend;
    },
  },
  {
    name: "blockhashes expire within a fork's reach",
    strike: (scene) => pass(scene, 151 + scene.random.below(40)),
  },
];

function pass({ arena }: Scene, slots: number) {
  arena.platform.chain.control.advanceSlots(slots);
  return nothingToMend;
}

/** Drops the newest slot that has transactions; the first of them land again. */
function skipSlot(scene: Scene) {
  const first = scene.random.below(5);
  return reland(scene, {}, (count) => Array.from({ length: Math.min(first, count) }, (_, index) => index));
}

/** The same, but any of them land again, in any order: the wrong ones must fail. */
function skipSlotAnyhow(scene: Scene) {
  const { random } = scene;
  return reland(scene, {}, (count) =>
    random.shuffle(Array.from({ length: count }, (_, i) => i)).slice(0, random.below(count + 1)),
  );
}

/** Drops up to the last twenty slots at once; the first of their transactions land again. */
function forkFar(scene: Scene) {
  const first = scene.random.below(9);
  const slots = 2 + scene.random.below(19);
  return reland(scene, { slots }, (count) => Array.from({ length: Math.min(first, count) }, (_, index) => index));
}

/** The node refuses an index that it has not dropped, and then drops nothing: so the longest possible choice is found. */
function reland({ arena }: Scene, where: { readonly slots?: number }, choose: (count: number) => number[]) {
  const { control } = arena.platform.chain;
  for (let count = MOST_DROPPED; count >= 0; count--) {
    try {
      control.skipSlot({ ...where, reland: choose(count) });
      return nothingToMend;
    } catch (error) {
      if (isFinalized(error)) return nothingToMend;
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return nothingToMend;
}

/** The newest transaction is beyond any fork: there is nothing to take back. */
function isFinalized(error: unknown): boolean {
  return error instanceof Error && /is finalized .* and cannot be dropped/.test(error.message);
}

/** More transactions than the launches of a round have. */
const MOST_DROPPED = 40;

function passEmptySlots({ arena, random }: Scene) {
  arena.platform.chain.control.skipNextSlots(5 + random.below(60));
  return nothingToMend;
}

function standStill({ arena }: Scene) {
  const { control } = arena.platform.chain;
  control.setSlotMs(0);
  return () => control.setSlotMs(SLOT_MS);
}
