import { createRandom } from '../../../campaigns/chaos/random.ts';

/** Reports of a source that may be lost. */
export const LOSSES = ['transactions', 'accounts', 'transactions and accounts', 'blocks', 'slots'] as const;
export type Loss = (typeof LOSSES)[number];

/** A step of a history: what happens on the chain, or what disturbs the source that reports the next block. */
export type Step =
  | { readonly kind: 'trade'; readonly pool: number; readonly side: 'buy' | 'sell' }
  /** Ends the block; so many slots stay without one. */
  | { readonly kind: 'block'; readonly skipped: number }
  /** Takes out the newest blocks; transactions with a bit in `reland` land again. */
  | { readonly kind: 'fork'; readonly depth: number; readonly reland: number }
  | { readonly kind: 'lose'; readonly what: Loss }
  | { readonly kind: 'repeat' | 'reorder' }
  /** Ends the source; after a hole it cannot report again what happened meanwhile. */
  | { readonly kind: 'cut' | 'hole' }
  /** Another process goes on. */
  | { readonly kind: 'restart' };

export const POOLS = 2;

const MOST_STEPS = 16;

/** What a history without disturbances is made of. */
const CALM: readonly Step['kind'][] = ['trade', 'block', 'fork'];

export function isCalm(steps: readonly Step[]): boolean {
  return steps.every(({ kind }) => CALM.includes(kind));
}

/** A random history, the same for the same seed; one in three is without disturbances. */
export function randomSteps(seed: string): Step[] {
  const random = createRandom(seed);
  const places = random.oneIn(3) ? 16 : 20;
  const disturbance = (): Step => {
    const kind = random.pick(['lose', 'lose', 'repeat', 'reorder', 'cut', 'hole', 'restart'] as const);
    return kind === 'lose' ? { kind, what: random.pick(LOSSES) } : { kind };
  };
  const step = (): Step => {
    const place = random.below(places);
    if (place < 8) return { kind: 'trade', pool: random.below(POOLS), side: random.oneIn(2) ? 'buy' : 'sell' };
    if (place < 14) return { kind: 'block', skipped: random.oneIn(4) ? random.below(100) : 0 };
    return place < 16 ? { kind: 'fork', depth: 1 + random.below(3), reland: random.below(8) } : disturbance();
  };
  return Array.from({ length: 2 + random.below(MOST_STEPS - 1) }, step);
}

/** Removes steps, many at once and then single ones, as long as what remains still fails. */
export async function shrink(steps: readonly Step[], fails: (steps: readonly Step[]) => Promise<boolean>) {
  let smallest = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length;) {
      const fewer = smallest.toSpliced(at, size);
      if (await fails(fewer)) smallest = fewer;
      else at += size;
    }
  }
  return smallest;
}

/** A history as a file has it, one step a line. */
export function stepsText(steps: readonly Step[]): string {
  return steps.map((step) => JSON.stringify(step)).join('\n');
}

export function stepsIn(text: string): Step[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as Step);
}
