import { setTimeout as sleep } from 'node:timers/promises';

/** ms. */
const ASK_EVERY_MS = 500;
const SAY_EVERY_MS = 15_000;
/** A longer wait is a finding. */
const GIVE_UP_MS = 300_000;

/** @throws after `giveUpMs`, with `what` */
export async function until<T>(what: string, ask: () => Promise<T | null>, giveUpMs = GIVE_UP_MS): Promise<T> {
  const begun = performance.now();
  for (let saidAt = begun; ;) {
    const answer = await ask();
    if (answer !== null) return answer;
    const now = performance.now();
    const seconds = Math.round((now - begun) / 1_000);
    if (now - begun > giveUpMs) throw new Error(`waited ${seconds} s in vain for ${what}`);
    if (now - saidAt >= SAY_EVERY_MS) {
      saidAt = now;
      process.stderr.write(`waiting for ${what} (${seconds} s) …\n`);
    }
    await sleep(ASK_EVERY_MS);
  }
}
