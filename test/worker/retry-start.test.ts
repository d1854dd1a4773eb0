import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { retryStart } from '../../worker/retry-start.ts';

function logged() {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
  return { lines, logger };
}

describe('a start-up step', () => {
  it('is tried until it succeeds, and each failure is told', async () => {
    const { lines, logger } = logged();
    let tries = 0;
    const step = async () => {
      if (++tries < 3) throw new Error('connection refused');
      return 'there';
    };
    const signal = new AbortController().signal;
    const waits: string[] = [];
    const onWait = (problem: string) => void waits.push(problem);
    const retry = { logger, signal, timeoutMs: 10_000, onWait };
    expect(await retryStart('Temporal at 127.0.0.1:1', step, retry)).toBe('there');
    expect(waits).toEqual(Array(2).fill('Temporal at 127.0.0.1:1: connection refused'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('Temporal at 127.0.0.1:1 is not reachable yet (connection refused); trying again');
  });

  it('that never succeeds ends with what was tried and the last reason', async () => {
    const { logger } = logged();
    const step = () => Promise.reject(new Error('connection refused'));
    const retry = { logger, signal: new AbortController().signal, timeoutMs: 600 };
    await expect(retryStart('PostgreSQL at db:5432', step, retry)).rejects.toThrow(
      'gave up on PostgreSQL at db:5432 after 600 ms: connection refused',
    );
  });

  it('whose statement passes its time limit is told with what helps', async () => {
    const { logger } = logged();
    const waits: string[] = [];
    const cancelled = Object.assign(new Error('canceling statement due to statement timeout: select 1'), {
      code: '57014',
    });
    const onWait = (problem: string) => void waits.push(problem);
    const retry = { logger, signal: new AbortController().signal, timeoutMs: 600, onWait };
    await expect(retryStart('the lanes', () => Promise.reject(cancelled), retry)).rejects.toThrow(
      /select 1; see "A statement/,
    );
    expect(waits[0]).toMatch(/^the lanes: canceling statement .*: select 1; see "A statement that times out"/);
  });

  it('is not repeated when waiting cannot mend it', async () => {
    const { logger, lines } = logged();
    const step = () => Promise.reject(new RangeError('another chain'));
    const retry = { logger, signal: new AbortController().signal, timeoutMs: 60_000 };
    const fatal = (error: unknown) => error instanceof RangeError;
    await expect(retryStart('PostgreSQL', step, retry, fatal)).rejects.toThrow('another chain');
    expect(lines).toHaveLength(0);
  });

  it('ends at once when the process is asked to stop', async () => {
    const { logger } = logged();
    const stop = new AbortController();
    const step = () => Promise.reject(new Error('connection refused'));
    const running = retryStart('Temporal', step, { logger, signal: stop.signal, timeoutMs: 60_000 });
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });
});
