import { createCreator } from '../../support/platform/creator.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { count } from '../counts.ts';
import { REFUSED_WISHES } from './odd-pairs.ts';
import type { Dice } from './wishes.ts';

/** A creator who asks for what no launch can be. */
export interface RefusedCreator {
  ask(): Promise<void>;
  /** How often each wish was refused in its words; while parts are away, other words are no answer to it. */
  readonly refused: Readonly<Record<string, number>>;
  /** Wishes that prepare offered a price for. */
  readonly problems: readonly string[];
}

export function createRefusedCreator(ground: RealStack, dice: Dice): RefusedCreator {
  const refused: Record<string, number> = Object.fromEntries(REFUSED_WISHES.map(({ wish }) => [wish, 0]));
  const problems: string[] = [];
  return {
    refused,
    problems,
    ask: async () => {
      const { wish, changes, says } = REFUSED_WISHES[dice(REFUSED_WISHES.length)]!;
      const { http, error } = await (await createCreator(ground, 0)).tryPrepare(changes);
      if (error?.message.includes(says) === true) count(refused, wish);
      else if (http === 200) problems.push(`${wish} was offered`);
    },
  };
}
