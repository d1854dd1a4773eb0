import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { followToEnd } from '../../api/follow-to-end.ts';

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

function follow(ground: { outcome: () => Promise<unknown>; read: () => Promise<string | null>; waitMs: number }) {
  return followToEnd({ row: 'open', isOpen: (row) => row === 'open', log, ...ground });
}

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
    const ended = { row: 'ended', isOpen: () => false, log, waitMs: 300, read: answering('ended').ask };
    expect(await followToEnd({ ...ended, outcome: outcome.ask })).toBe('ended');
    expect(outcome.asked()).toBe(0);
  });
});
