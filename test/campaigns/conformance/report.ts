import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Subject } from './subject.ts';

/** What a run of the suite found, one entry a test. */
export interface Report {
  readonly exchange: Subject['kind'];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly tests: readonly {
    readonly name: string;
    readonly status: 'passed' | 'failed' | 'skipped';
    readonly ms: number;
    /** Why it failed; null otherwise. */
    readonly problem: string | null;
  }[];
}

/** The part of vitest's JSON reporter that is read. */
const VitestReport = Type.Object({
  testResults: Type.Array(
    Type.Object({
      /** Why a whole file could not be run. */
      message: Type.Optional(Type.String()),
      assertionResults: Type.Array(
        Type.Object({
          fullName: Type.String(),
          status: Type.String(),
          duration: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
          failureMessages: Type.Optional(Type.Array(Type.String())),
        }),
      ),
    }),
  ),
});

/** Condenses vitest's report. Throws when it has none, or the suite itself could not be run. */
export function readReport(exchange: Subject['kind'], json: string): Report {
  const { testResults } = Value.Parse(VitestReport, JSON.parse(json));
  const results = testResults.flatMap((file) => file.assertionResults);
  if (results.length === 0)
    throw new Error(testResults.map(({ message }) => message ?? '').join('\n') || 'no test ran');
  const tests = results.map(({ fullName: name, status, duration, failureMessages }) => ({
    name,
    status: statusOf(status),
    ms: Math.round(duration ?? 0),
    problem: failureMessages?.[0]?.split('\n')[0] ?? null,
  }));
  const count = (status: string) => tests.filter((one) => one.status === status).length;
  return { exchange, passed: count('passed'), failed: count('failed'), skipped: count('skipped'), tests };
}

function statusOf(status: string): 'passed' | 'failed' | 'skipped' {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}
