import type { ChainVerdict } from '../chaos/chain-verdict.ts';
import { refusalProblems } from './refusals.ts';

/** A launch of the drill, and what the judge says of it. */
export interface JudgedQuote {
  readonly quoteId: string;
  readonly verdict: Pick<ChainVerdict, 'problems'>;
}

/** What was seen of a drill that came to its end. */
export interface Seen {
  readonly launches: readonly JudgedQuote[];
  /** HTTP answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** How often a 503 said what. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Launches that are open after all came to rest, by state. */
  readonly open: Readonly<Record<string, number>>;
  /** What is wrong with claims and workflows, in words. */
  readonly others: readonly string[];
}

/** Every promise of a release that was broken, in words; empty when all were kept. */
export function problemsOf({ launches, answers, refusals, open, others }: Seen): string[] {
  return [
    ...launches.flatMap(({ quoteId, verdict }) => verdict.problems.map((problem) => `${quoteId}: ${problem}`)),
    ...Object.entries(open).map(([state, count]) => `${count} launches are left open in ${state}`),
    ...answerProblems(answers),
    ...refusalProblems(refusals),
    ...others,
  ];
}

/** What was answered that is not specified, of HTTP answers by status. */
export function answerProblems(answers: Seen['answers']): string[] {
  return Object.entries(answers)
    .filter(([status]) => isOurFault(status))
    .map(([status, count]) => `${count} answers were ${status}`);
}

/** Of all answers above 499 only 503 is specified. */
function isOurFault(status: string): boolean {
  return Number(status) >= 500 && status !== '503';
}
