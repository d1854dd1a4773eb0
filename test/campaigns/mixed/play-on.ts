import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../../domain/error-text.ts';
import { count } from '../counts.ts';

/** Everybody who plays, until they are told to stop. */
export interface Players {
  /** Has one do the same again and again, with a pause in ms; what fails while something is away is noted, and tried again. */
  join(name: string, pauseMs: number, act: () => Promise<unknown>): void;
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
  const play = async (name: string, pauseMs: number, act: () => Promise<unknown>) => {
    while (!ended.signal.aborted) {
      try {
        await act();
        count(done, name);
      } catch (error) {
        count(failed, `${name}: ${inShort(errorText(error))}`);
      }
      await sleep(pauseMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  return {
    done,
    failed,
    join: (name, pauseMs, act) => void playing.push(play(name, pauseMs, act)),
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
