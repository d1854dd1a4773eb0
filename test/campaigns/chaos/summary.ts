import Type from 'typebox';
import Value from 'typebox/value';
import { countOf } from '../counts.ts';

const RoundSchema = Type.Object({
  seed: Type.String(),
  faults: Type.Array(Type.String()),
  results: Type.Array(
    Type.Object({
      quoteId: Type.String(),
      outcome: Type.String(),
      told: Type.Array(Type.String()),
      problems: Type.Array(Type.String()),
    }),
  ),
});

/** What came of a campaign. */
export interface Summary {
  readonly seed: string;
  readonly rounds: number;
  readonly launches: number;
  /** Launches by how the chain says they ended. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Launches of which a promise was broken, with the seed of their round. */
  readonly broken: readonly { seed: string; faults: string; quoteId: string; problems: readonly string[] }[];
}

/** Sums up the report of a campaign, one JSON document a line. Throws for a line that is no round. */
export function summaryOf(seed: string, report: string): Summary {
  const rounds = report
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Value.Parse(RoundSchema, JSON.parse(line)));
  const results = rounds.flatMap((round) =>
    round.results.map((result) => ({ ...result, seed: round.seed, faults: round.faults.join(' + ') })),
  );
  const broken = results.filter(({ problems }) => problems.length > 0);
  return {
    seed,
    rounds: rounds.length,
    launches: results.length,
    outcomes: countOf(results.map(({ outcome }) => outcome)),
    broken: broken.map(({ seed: own, faults, quoteId, problems }) => ({ seed: own, faults, quoteId, problems })),
  };
}
