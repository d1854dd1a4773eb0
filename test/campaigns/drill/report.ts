import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { countsInWords } from '../counts.ts';

const Counts = Type.Record(Type.String(), Type.Integer());

const StepSchema = Type.Object({
  step: Type.String(),
  /** Launches that were open when it began, by state. */
  open: Counts,
  ms: Type.Integer(),
});

const ReportSchema = Type.Object({
  steps: Type.Array(StepSchema),
  launches: Type.Integer(),
  /** Launches by how the chain says they ended. */
  outcomes: Counts,
  /** Launches that began on the changed workflow. */
  onNext: Type.Integer(),
  /** Claims by the state that they ended in. */
  claims: Counts,
  /** Commits that were confirmed until the primary was lost, and looked for on the standby. */
  commits: Type.Integer(),
  /** How long each failover took, from the loss until a process's own way to the database took writes. */
  failoverMs: Type.Array(Type.Integer()),
  /** HTTP answers by status. */
  answers: Counts,
  /** How often a 503 said what. */
  refusals: Counts,
  /** How often a client had to try again. */
  retries: Type.Integer(),
  /** Broken promises; empty when all held. */
  problems: Type.Array(Type.String()),
});

/** One step of a drill. */
export type Step = Static<typeof StepSchema>;

/** What came of a drill. */
export type DrillReport = Static<typeof ReportSchema>;

/** The report of a drill that came to its end; undefined where it did not. */
export function readDrillReport(text: string): DrillReport | undefined {
  const line = text.trim();
  return line === '' ? undefined : Value.Parse(ReportSchema, JSON.parse(line));
}

/** The report for people. */
export function textOf({
  steps,
  launches,
  onNext,
  claims,
  commits,
  failoverMs,
  outcomes,
  answers,
  refusals,
  retries,
  problems,
}: DrillReport): string {
  return [
    ...steps.map(
      ({ step, open, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${step}; open: ${countsInWords(open)}`,
    ),
    `${launches} launches (${countsInWords(outcomes)}), ${onNext} of them on n+1; claims: ${countsInWords(claims)}; ${commits} commits until the failover`,
    ...failoverMs.map((ms) => `failover: ${(ms / 1_000).toFixed(1)} s from the loss to the first write`),
    ...Object.entries(refusals).map(([said, times]) => `503, ${times} times: ${said}`),
    `answers: ${countsInWords(answers)}; tried again: ${retries}`,
    ...(problems.length === 0 ? ['nothing was broken'] : problems),
  ].join('\n');
}
