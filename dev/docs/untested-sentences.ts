import sentences from '../../test/contract/sentences.json' with { type: 'json' };

/** Sentences of the public contract that no test states, each with its reason. */
export function untestedSentencesText(): string {
  return sentences
    .flatMap(({ number, untested }) => (untested === undefined ? [] : [`- **${number}** ${untested}`]))
    .join('\n');
}
