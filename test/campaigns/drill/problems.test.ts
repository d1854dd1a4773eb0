import { expect, it } from 'vitest';
import { problemsOf, type Seen } from './problems.ts';

const KEPT: Seen = {
  launches: [{ quoteId: 'one', verdict: { problems: [] } }],
  answers: { 200: 20, 409: 1, 503: 2 },
  open: {},
  others: [],
};

it('a drill in which every promise was kept has no problems', () => {
  expect(problemsOf(KEPT)).toEqual([]);
});

it.each<[string, Partial<Seen>, string]>([
  ['charged twice', { launches: [{ quoteId: 'one', verdict: { problems: ['paid twice'] } }] }, 'one: paid twice'],
  ['left open', { open: { landing: 2 } }, '2 launches are left open in landing'],
  ['answered 500', { answers: { 200: 20, 500: 3 } }, '3 answers were 500'],
  ['answered 502', { answers: { 502: 1 } }, '1 answers were 502'],
  ['a workflow that failed', { others: ['workflow launch-1 is failed'] }, 'workflow launch-1 is failed'],
])('%s is a problem of a drill', (_what, seen, problem) => {
  expect(problemsOf(Object.assign({}, KEPT, seen))).toEqual([problem]);
});
