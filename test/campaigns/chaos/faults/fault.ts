import type { Arena } from '../arena.ts';
import type { Contender } from '../contender.ts';
import type { Random } from '../random.ts';

/** What a fault happens to. */
export interface Scene {
  readonly arena: Arena;
  readonly contenders: readonly Contender[];
  readonly random: Random;
}

/** Takes a fault back; harmless where it is over already. */
export type Mend = () => Promise<void> | void;

/** One way in which something around a launch breaks. */
export interface Fault {
  readonly name: string;
  /** Whether every run of the tests lets it strike at every step, and not only a run that asks for all. */
  readonly everyRun?: true;
  /** Breaks it now. What it breaks in particular is drawn from the scene's random numbers. */
  readonly strike: (scene: Scene) => Promise<Mend> | Mend;
}

/** For faults that are a moment, not a time. */
export const nothingToMend: Mend = () => undefined;
