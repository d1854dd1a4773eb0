import type { AnswerLog, Heard, Told } from './answer-log.ts';
import type { ChainVerdict, Outcome } from './chain-verdict.ts';

/** Outcomes on the chain that an ending may be told of. */
const TRUE_OF: Partial<Record<Told, readonly Outcome[]>> = {
  completed: ['launched'],
  'not charged': ['untouched', 'refunded'],
  refunded: ['refunded'],
  conflict: ['part', 'launched'],
  // A submit that was refused before its intake leaves nothing behind that could be asked for.
  unknown: ['untouched'],
};

/** Answers that may follow once "not charged" was said: nothing new. */
const STILL_TRUE: readonly Told[] = ['not charged', 'refunded', 'nothing', 'unknown'];

/** What the clients were told over time that the chain, or an earlier answer, contradicts; empty when all of it was true. */
export function contradictionsOf({ heard }: AnswerLog, verdict: ChainVerdict): string[] {
  const [last] = heard.toReversed();
  const allowed = last && TRUE_OF[last.told];
  const said = heard.findIndex(({ told }) => told === 'not charged' || told === 'refunded');
  const later = said < 0 ? [] : heard.slice(said + 1).filter(({ told }) => !STILL_TRUE.includes(told));
  const isCharged = verdict.outcome === 'launched' || verdict.outcome === 'part';
  return [
    ...(allowed?.includes(verdict.outcome)
      ? []
      : [`told "${last?.told ?? 'nothing'}" last, but the chain says ${verdict.outcome}`]),
    ...(said >= 0 && isCharged ? [`"not charged" was said, but the chain says ${verdict.outcome}`] : []),
    ...later.map(({ told }) => `"${told}" was said after "not charged"`),
    ...heard
      .filter(isOurError)
      .map(({ answer }) => `answered ${answer.http}: ${answer.error?.message ?? 'without a word'}`),
  ];
}

/** An error that the API has no name for. */
function isOurError({ answer }: Heard): boolean {
  return answer.http === 500;
}
