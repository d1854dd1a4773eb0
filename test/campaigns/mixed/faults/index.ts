import { count } from '../../counts.ts';
import { DATABASE_FAULTS } from './databases.ts';
import { ENDPOINT_FAULTS } from './endpoints.ts';
import type { Fault, Ground } from './fault.ts';
import { FREEZES } from './frozen-accounts.ts';
import { MEMO_FAULTS } from './memos.ts';
import { PART_FAULTS } from './parts.ts';

const FAULTS = { ...PART_FAULTS, ...ENDPOINT_FAULTS, ...FREEZES, ...MEMO_FAULTS, ...DATABASE_FAULTS };

const RESTORE: FaultName = 'an older backup of the database is restored';

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/**
 * Faults by their names, with commas between, or `all`.
 *
 * @throws for an unknown one
 */
export function askedFaults(text: string): readonly FaultName[] {
  if (text === 'all') return FAULT_NAMES;
  return text
    .split(',')
    .filter((word) => word !== '')
    .map((word) => {
      const name = FAULT_NAMES.find((one) => one === word.trim());
      if (!name) throw new Error(`there is no fault "${word}"; there are ${FAULT_NAMES.join(', ')}`);
      return name;
    });
}

/** Faults of a campaign, one after the other, each as often as the others. */
export interface Strikes {
  /** Lets the next one strike; resolves when it is over. */
  strike(): Promise<void>;
  /** How often each struck; 0 for those that never did. */
  readonly struck: Readonly<Record<string, number>>;
  /** Whether the database ever went back. */
  hasRestored(): boolean;
  /** Faults that were asked for and never struck, in words. */
  problems(): string[];
}

/** Other faults that strike before one that could not strike comes again. */
const STRIKES_LATER = 3;

/** @param asked faults that must strike; the others strike if they are short */
export function createStrikes(ground: Ground, asked: readonly FaultName[]): Strikes {
  const faultOf = (name: FaultName): Fault => FAULTS[name];
  const obstacleTo = (name: FaultName) => faultOf(name).obstacle?.(ground) ?? null;
  const played = FAULT_NAMES.filter(
    (name) => obstacleTo(name) === null && (faultOf(name).isLong !== true || asked.includes(name)),
  );
  const struck: Record<string, number> = Object.fromEntries(played.map((name) => [name, 0]));
  // Those that must strike come first.
  const others = played.filter((name) => !asked.includes(name));
  let deck = [
    ...shuffled(others, ground),
    ...shuffled(
      played.filter((name) => asked.includes(name)),
      ground,
    ),
  ];
  return {
    struck,
    strike: async () => {
      if (deck.length === 0) deck = shuffled(played, ground);
      const name = deck.pop()!;
      try {
        await faultOf(name).act(ground);
      } catch (error) {
        // What it happens to may be there a little later.
        if (deck.length > 0) deck.splice(Math.max(0, deck.length - STRIKES_LATER), 0, name);
        throw error;
      }
      count(struck, name);
    },
    hasRestored: () => (struck[RESTORE] ?? 0) > 0,
    problems: () =>
      asked
        .filter((name) => (struck[name] ?? 0) === 0)
        .map((name) => `"${name}" was asked for and never struck: ${obstacleTo(name) ?? 'the campaign was too short'}`),
  };
}

function shuffled<T>(items: readonly T[], { dice }: Ground): T[] {
  const left = [...items];
  return items.map(() => left.splice(dice(left.length), 1)[0]!);
}
