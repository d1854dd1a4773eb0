import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createFollowToEnd } from '../../api/follow-to-end.ts';

const log = pino({ level: 'silent' });
const FAULT = new Error('away');

/** Answers one of these after another, the last one for ever; an Error is thrown. */
function answering<T>(...answers: (T | Error)[]) {
  let asked = 0;
  const ask = (): Promise<T> => {
    const answer = answers[Math.min(asked++, answers.length - 1)]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { ask, asked: () => asked };
}

interface Ground {
  readonly outcome: () => Promise<unknown>;
  readonly read: () => Promise<string | null>;
  readonly waitMs: number;
}

const OPEN = { id: 'a', row: 'open', gone: new AbortController().signal, log };

const follow = (ground: Ground, follower = OPEN) =>
  createFollowToEnd<string>({ isOpen: (row) => row === 'open', ...ground })(follower);

describe('what was taken in', () => {
  it('is asked for again when Temporal fails, and its end is answered', async () => {
    const outcome = answering<string>(FAULT, 'done');
    const read = answering<string>('open', 'ended');
    expect(await follow({ outcome: outcome.ask, read: read.ask, waitMs: 10_000 })).toBe('ended');
    expect(outcome.asked()).toBe(2);
  });

  it('is read again when the database fails', async () => {
    const read = answering<string>(FAULT, 'ended');
    expect(await follow({ outcome: answering('done').ask, read: read.ask, waitMs: 10_000 })).toBe('ended');
  });

  it('is answered as it was last known when the wait is over', async () => {
    const read = answering<string | null>(null);
    expect(await follow({ outcome: answering(FAULT).ask, read: read.ask, waitMs: 300 })).toBe('open');
  });

  it('is not waited for when it has ended already', async () => {
    const outcome = answering<string>(FAULT);
    const ground = { outcome: outcome.ask, read: answering('ended').ask, waitMs: 300 };
    expect(await follow(ground, { ...OPEN, row: 'ended' })).toBe('ended');
    expect(outcome.asked()).toBe(0);
  });

  it('is asked for once, however many wait for it', async () => {
    const [outcome, end] = [answering(0), Promise.withResolvers<string>()];
    const ground = { outcome: async () => (await outcome.ask(), end.promise), read: () => end.promise, waitMs: 10_000 };
    const followToEnd = createFollowToEnd<string>({ isOpen: (row) => row === 'open', ...ground });
    const waiting = [1, 2, 3].map(() => followToEnd(OPEN));
    const other = followToEnd({ ...OPEN, id: 'b' });
    expect(outcome.asked()).toBe(2);
    end.resolve('ended');
    expect(await Promise.all([...waiting, other])).toEqual(Array(4).fill('ended'));
  });

  it('is not waited for by a client that has hung up, and still by the others', async () => {
    const [outcome, hungUp] = [Promise.withResolvers<string>(), new AbortController()];
    const ground = { outcome: () => outcome.promise, read: answering('ended').ask, waitMs: 10_000 };
    const followToEnd = createFollowToEnd<string>({ isOpen: (row) => row === 'open', ...ground });
    const [first, second] = [followToEnd({ ...OPEN, gone: hungUp.signal }), followToEnd(OPEN)];
    let answer = 'none';
    void first.then((row) => (answer = row));
    hungUp.abort();
    await new Promise(setImmediate);
    expect(answer).toBe('open');
    outcome.resolve('done');
    expect(await second).toBe('ended');
  });
});
