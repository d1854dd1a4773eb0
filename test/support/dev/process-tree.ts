import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, descendantsOf, isAlive, type ProcessEntry } from '../../../scripts/descendants.mjs';
import { eventually } from './eventually.ts';

/** How long a part may outlive the end of what started it, ms. */
const LONGEST_MS = 25_000;

/** Watches a tree of processes from outside: what was ever below its root, also after the root has died. */
export class ProcessTree {
  readonly #root: number;
  readonly #seen = new Map<number, ProcessEntry>();

  constructor(root: number) {
    this.#root = root;
  }

  /** Command lines of those that live. */
  living(): string[] {
    for (const pid of [this.#root, ...this.#seen.keys()])
      for (const entry of descendantsOf(pid)) this.#seen.set(entry.pid, entry);
    return [...this.#seen.values()].filter(isAlive).map(({ pid }) => `${pid} ${commandOf(pid)}`);
  }

  /** Waits until a process with such a command line lives. */
  has(wanted: RegExp): Promise<void> {
    return eventually(() => {
      const lines = this.living();
      if (!lines.some((line) => wanted.test(line))) throw new Error(`${wanted} is not among\n${lines.join('\n')}`);
    });
  }

  /** Resolves as soon as nothing lives; else with what does after the longest time. */
  async leftAtTheEnd(): Promise<string[]> {
    const deadline = Date.now() + LONGEST_MS;
    while (this.living().length > 0 && Date.now() < deadline) await sleep(250);
    return this.living();
  }
}
