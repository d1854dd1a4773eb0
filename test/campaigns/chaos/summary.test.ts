import { describe, expect, it } from 'vitest';
import { summaryOf } from './summary.ts';

const round = (seed: string, results: readonly object[]) =>
  JSON.stringify({ seed, faults: ['a', 'b'], results, ms: 1 });
const result = (outcome: string, problems: readonly string[] = []) => ({
  quoteId: `of ${outcome}`,
  outcome,
  told: ['completed'],
  problems,
});

describe('the summary of a campaign', () => {
  it('counts launches by outcome and names those of which a promise was broken', () => {
    const report = `${round('s-0', [result('launched'), result('part', ['paid twice'])])}\n${round('s-1', [result('launched')])}\n`;
    expect(summaryOf('s', report)).toEqual({
      seed: 's',
      rounds: 2,
      launches: 3,
      outcomes: { launched: 2, part: 1 },
      broken: [{ seed: 's-0', faults: 'a + b', quoteId: 'of part', problems: ['paid twice'] }],
    });
  });
});
