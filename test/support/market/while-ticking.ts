import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainControl } from '../../../dev/localnet/index.ts';

/** Pause between two slots, ms: chain and client share a process, so a slow machine makes both slow alike. */
const TICK_MS = 25;

/** Moves a chain without a clock of its own on, slot by slot, until the work is done. */
export async function whileTicking<T>(control: ChainControl, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    control.tick();
    await sleep(TICK_MS);
  }
  return done;
}
