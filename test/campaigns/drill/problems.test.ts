import { expect, it } from 'vitest';
import { failoverProblems, type Witnessed } from './failover.ts';
import { problemsOf, type Seen } from './problems.ts';
import { refusalOf } from './refusals.ts';

const KEPT: Seen = {
  launches: [{ quoteId: 'one', verdict: { problems: [] } }],
  answers: { 200: 20, 409: 1, 503: 2 },
  refusals: {
    'a service this request depends on does not answer': 1,
    'the bundle did not land; nothing was charged, prepare the launch again': 1,
  },
  open: {},
  others: [],
};

it('a drill in which every promise was kept has no problems', () => {
  expect(problemsOf(KEPT)).toEqual([]);
});

it.each([
  ['{"error":{"code":"service_unavailable","message":"gone","retryable":true}}', 'gone'],
  ['{"error":{"code":"service_unavailable","message":"off","retryable":false}}', 'off (not to be tried again)'],
  [
    '<html><body><h1>503 Service Unavailable</h1>No server is available to handle this request.</body></html>',
    'No server is available to handle this request.',
  ],
  ['upstream connect error', 'upstream connect error'],
])('a 503 of %s says: %s', (body, said) => {
  expect(refusalOf(body)).toBe(said);
});

it.each<[string, Partial<Seen>, string]>([
  ['charged twice', { launches: [{ quoteId: 'one', verdict: { problems: ['paid twice'] } }] }, 'one: paid twice'],
  ['left open', { open: { landing: 2 } }, '2 launches are left open in landing'],
  ['answered 500', { answers: { 200: 20, 500: 3 } }, '3 answers were 500'],
  ['answered 502', { answers: { 502: 1 } }, '1 answers were 502'],
  [
    'a 503 that is not specified',
    { refusals: { 'launching is paused (not to be tried again)': 2 } },
    '2 answers were 503: launching is paused (not to be tried again)',
  ],
  ['a workflow that failed', { others: ['workflow launch-1 is failed'] }, 'workflow launch-1 is failed'],
])('%s is a problem of a drill', (_what, seen, problem) => {
  expect(problemsOf(Object.assign({}, KEPT, seen))).toEqual([problem]);
});

const FAILED_OVER: Witnessed = { confirmed: 150, waiting: 3, isWitnessed: true, found: 151, ms: 4_000 };

it('a failover that lost nothing has no problems; one more commit than was confirmed may be there', () => {
  expect(failoverProblems(FAILED_OVER)).toEqual([]);
});

it.each<[string, Partial<Witnessed>, string]>([
  ['lost commits', { found: 60 }, '90 of 150 confirmed commits went with the primary'],
  ['showed nothing', { waiting: 0 }, 'no commit was seen to wait for the standby'],
  ['nobody watched to its end', { isWitnessed: false }, 'the witness had stopped before the primary was lost'],
  ['took minutes', { ms: 300_000 }, 'the failover took 300000 ms'],
])('a failover that %s is a problem of a drill', (_what, seen, problem) => {
  expect(failoverProblems(Object.assign({}, FAILED_OVER, seen))).toEqual([problem]);
});
