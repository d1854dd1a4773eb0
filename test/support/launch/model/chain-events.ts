import { bundleOf, isOnChain, mapLetters, mayLand, type OnChain, withLetter, type World } from './world.ts';

/** One thing that can happen, and the world after it. */
export interface Happening {
  readonly what: string;
  readonly world: World;
  /** False for what no fair run may count on: forks, crashes, losses. */
  readonly isFair: boolean;
}

/** All that the chain can do next. */
export function chainEvents(world: World, isStrangerGenerous: boolean): Happening[] {
  return [
    ...landings(world),
    ...(isStrangerGenerous ? giftedLandings(world) : []),
    ...passingTime(world),
    ...forks(world),
  ];
}

/** A stranger's lamports do for the rest what the payment would have done. */
function giftedLandings(world: World): Happening[] {
  const { chain, refundChain } = world;
  const next = bundleOf(world).find((index) => index > 0 && !isOnChain(chain.charAt(index)));
  if (next === undefined || isOnChain(chain.charAt(0)) || isOnChain(refundChain) || !mayLand(chain.charAt(next)))
    return [];
  const landed = { ...world, chain: withLetter(chain, next, 'C') };
  return [{ what: `${next + 1} lands at a stranger's cost`, isFair: false, world: landed }];
}

/** Prefixes only: each transaction needs what its predecessor made, and the money and tokens that a refund takes away. */
function landings(world: World): Happening[] {
  const { chain, refundChain } = world;
  const next = bundleOf(world).find((index) => !isOnChain(chain.charAt(index)));
  const happenings: Happening[] = [];
  if (next !== undefined && mayLand(chain.charAt(next)) && !isOnChain(refundChain)) {
    happenings.push({
      what: `${next + 1} lands`,
      isFair: true,
      world: { ...world, chain: withLetter(chain, next, 'C') },
    });
  }
  if (mayLand(refundChain))
    happenings.push({ what: 'refund lands', isFair: true, world: { ...world, refundChain: 'C' } });
  return happenings;
}

/** Blockhashes expire, expired ones pass the margin, blocks become final: for all transactions alike. */
function passingTime(world: World): Happening[] {
  const pass = (what: string, change: (letter: OnChain, row: string) => OnChain): Happening => ({
    what,
    isFair: true,
    world: {
      ...world,
      chain: mapLetters<OnChain>(world.chain, (letter, index) => change(letter, world.rows.charAt(index))),
      refundChain: change(world.refundChain as OnChain, world.refundRow),
    },
  });
  return [
    pass('blockhashes expire', (letter) => (letter === 'P' ? 'X' : letter)),
    // Bytes that exist and were never sent die with their blockhash too.
    pass('expiry is final', (letter, row) => (letter === 'X' || (letter === '-' && row !== '.') ? 'D' : letter)),
    pass('blocks are finalized', (letter) => (letter === 'C' ? 'F' : letter)),
  ];
}

/** A fork takes back the newest confirmed blocks; what was in them may land again as long as its blockhash allows. */
function forks(world: World): Happening[] {
  const { chain, refundChain } = world;
  const after = (['P', 'X'] as const).flatMap((letter) => {
    const undone = bundleOf(world)
      .filter((index) => chain.charAt(index) === 'C')
      .map((first): Happening => {
        const left = mapLetters(chain, (old, index) => (index >= first && old === 'C' ? letter : old));
        return { what: `fork takes ${first + 1} and later`, isFair: false, world: { ...world, chain: left } };
      });
    if (refundChain !== 'C') return undone;
    return [...undone, { what: 'fork takes the refund', isFair: false, world: { ...world, refundChain: letter } }];
  });
  return after;
}
