import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../../domain/error-text.ts';
import { count } from '../counts.ts';

/** Everybody who plays, until they are told to stop. */
export interface Players {
  /** Has one do the same again and again, with a pause in ms; what fails while something is away is noted, and tried again. */
  join(name: string, pauseMs: number, act: () => Promise<unknown>): void;
  /** Lets those whose name matches end what they are at, and begin nothing until `act` has resolved. */
  pausedWhile(names: RegExp, act: () => Promise<void>): Promise<void>;
  /** Lets everybody end what they are at. */
  stop(): Promise<void>;
  /** How often each did what it does, and how often it could not. */
  readonly done: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
}

/** Nobody plays yet. */
export function createPlayers(): Players {
  const [done, failed]: [Record<string, number>, Record<string, number>] = [{}, {}];
  const playing: Promise<void>[] = [];
  const ended = new AbortController();
  const pauses = new Map<RegExp, Promise<void>>();
  const acting = new Map<symbol, { readonly name: string; readonly over: Promise<void> }>();
  const pauseOf = (name: string) => [...pauses].find(([names]) => names.test(name))?.[1];
  const actOnce = async (name: string, act: () => Promise<unknown>) => {
    try {
      await act();
      count(done, name);
    } catch (error) {
      count(failed, `${name}: ${inShort(errorText(error))}`);
    }
  };
  const play = async (name: string, pauseMs: number, act: () => Promise<unknown>) => {
    const id = Symbol(name);
    while (!ended.signal.aborted) {
      const paused = pauseOf(name);
      if (paused) await paused;
      if (ended.signal.aborted) return;
      const over = actOnce(name, act);
      acting.set(id, { name, over });
      await over;
      acting.delete(id);
      await sleep(pauseMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  return {
    done,
    failed,
    join: (name, pauseMs, act) => void playing.push(play(name, pauseMs, act)),
    pausedWhile: async (names, act) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      pauses.set(names, promise);
      try {
        await Promise.all([...acting.values()].filter(({ name }) => names.test(name)).map(({ over }) => over));
        await act();
      } finally {
        pauses.delete(names);
        resolve();
      }
    },
    stop: async () => {
      ended.abort();
      await Promise.all(playing);
    },
  };
}

/** What tells one failure from another: the text without addresses, ids and numbers. */
function inShort(text: string): string {
  const [line = ''] = text.split('\n');
  return line.replace(/[1-9A-HJ-NP-Za-km-z]{32,}|[0-9a-f-]{36}|\d+/g, '…').slice(0, 120);
}
