import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { quietTemporalLogger, temporalLogger } from '../../worker/logger.ts';

function logged(level: string) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level }, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { lines, logger };
}

describe('what Temporal logs', () => {
  it('comes out with its level and fields', () => {
    const { lines, logger } = logged('trace');
    const bridge = temporalLogger(logger);
    bridge.trace('a');
    bridge.debug('b');
    bridge.info('c', { workflowId: 'launch-1', attempt: 2 });
    bridge.warn('d');
    bridge.error('e');
    expect(lines.map(({ level }) => level)).toEqual([10, 20, 30, 40, 50]);
    expect(lines[2]).toMatchObject({ msg: 'c', workflowId: 'launch-1', attempt: 2 });
  });

  it('keeps the stack of an error', () => {
    const { lines, logger } = logged('info');
    temporalLogger(logger).error('activity failed', { error: new Error('boom') });
    expect(lines[0]).toMatchObject({ msg: 'activity failed', err: { message: 'boom' } });
    expect(JSON.stringify(lines[0])).toContain('logger.test.ts');
  });

  it('leaves the bundler its warnings, and its chatter only while debugging', () => {
    const [usual, debugging] = [logged('info'), logged('debug')];
    for (const { logger } of [usual, debugging]) {
      quietTemporalLogger(logger).info('asset 1.5 MiB');
      quietTemporalLogger(logger).warn('module not found');
    }
    expect(usual.lines.map(({ msg }) => msg)).toEqual(['module not found']);
    expect(debugging.lines.map(({ msg }) => msg)).toEqual(['asset 1.5 MiB', 'module not found']);
  });
});
