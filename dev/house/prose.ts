import type { Passage } from './comments.ts';

/** More words are too long. */
export const MOST_WORDS = 40;

export interface Sentence {
  line: number;
  text: string;
}

export const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** `e.g.` ends no sentence. */
const ABBREVIATION = /\b(e\.g|i\.e|etc|cf|vs|approx)\.$/i;

export const sentencesOf = ({ line, text }: Passage): readonly Sentence[] => {
  const sentences: Sentence[] = [];
  let open = '';
  for (const part of text.split(
    /(?<=[.!?:;][)"'”`]?)\s+(?=- )|(?<=[.!?][)"'”`]?)\s+(?=[\p{Lu}`"'(@])|\s+(?=@(?:throws|param|returns|see|example)\b)|\s\|\s/u,
  )) {
    open = open === '' ? part : `${open} ${part}`;
    if (ABBREVIATION.test(part)) continue;
    sentences.push({ line, text: open });
    open = '';
  }
  if (open !== '') sentences.push({ line, text: open });
  return sentences.filter((sentence) => wordsIn(sentence.text) > 0);
};

/** A clause in place of its subject: "What is X …", "Of that which …". */
const HEADLESS =
  /^(what|whatever|whoever|whichever|who|whom|whose|which|that (?!(is|was|means|makes|would|leaves|gives)\b)\p{L}+ |(of|by|in|to|for|from|with|at|on) (what|which|whom|that which|those that|those who))\b/iu;
const ACTORLESS = /\b(nobody|somebody|whoever|whomever)\b/giu;

/** Directions and tags are no sentences. */
const body = (text: string): string =>
  text.replace(/^@(?:param\s+\S+|\w+)\s+(\{[^}]*\}\s*)?/, '').replace(/^[`"'(]+/, '');

export const isHeadless = ({ text }: Sentence): boolean => !text.endsWith('?') && HEADLESS.test(body(text));
export const isLong = ({ text }: Sentence): boolean => wordsIn(text) > MOST_WORDS;
export const actorlessWords = ({ text }: Sentence): number => text.match(ACTORLESS)?.length ?? 0;
