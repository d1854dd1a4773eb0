import { eventually } from '../../../support/platform/eventually.ts';

/** A `kill -9` that is due once so much of the work is done. */
export interface DueKill<Part extends string> {
  readonly part: Part;
  readonly at: number;
}

/** Draws for each part a moment between the first unit of work and `last`: by progress, which no machine's speed moves. */
export function drawKills<Part extends string>(
  dice: (most: number) => number,
  parts: readonly Part[],
  last: number,
): DueKill<Part>[] {
  return parts.map((part) => ({ part, at: 1 + dice(last) })).toSorted((a, b) => a.at - b.at);
}

/** Work that parts are killed along. */
export interface KilledWork<Part extends string> {
  /** Units that are done. */
  readonly progress: () => Promise<number>;
  /** Resolves once another one runs in the part's place. */
  readonly kill: (part: Part) => Promise<void>;
  /** Kills that are still due then are left out. */
  readonly ended: Promise<unknown>;
}

/** Makes each kill once the work has come to it; returns how many were made. Rejects if the work does. */
export async function killAlong<Part extends string>(
  kills: readonly DueKill<Part>[],
  { progress, kill, ended }: KilledWork<Part>,
): Promise<number> {
  let made = 0;
  let isOver = false;
  const over = ended.finally(() => {
    isOver = true;
  });
  const killAll = async (): Promise<void> => {
    for (const { part, at } of kills) {
      await eventually(async () => isOver || (await progress()) >= at || null, `${at} units of work, to kill ${part}`);
      if (isOver) return;
      await kill(part);
      made += 1;
    }
  };
  await Promise.all([killAll(), over]);
  return made;
}
