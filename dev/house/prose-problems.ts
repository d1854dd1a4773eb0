import { commentsOf, type Passage } from './comments.ts';
import { passagesOf } from './documents.ts';
import { glossaryLine, GLOSSARY_PAGE } from './glossary.ts';
import { actorlessWords, isHeadless, isLong, sentencesOf } from './prose.ts';
import { isCommentedFile, type SourceFile } from './source-file.ts';
import { textsOf } from './texts.ts';

export interface ProseProblem {
  path: string;
  line: number;
  rule: 'refused phrase' | 'headless opening' | 'no actor' | 'long sentence';
  text: string;
}

/** Headings and table heads may ask a question: "What it costs". */
const isTitle = (text: string): boolean => text.split(' ').length <= 8 && !/[.!;]$/.test(text);

const EXCEPTIONS: readonly (readonly [path: string, phrase: string, reason: string])[] = [
  ['dev/stack/temporal/server.ts', 'nobody', 'a host name'],
  ['client/', 'nobody', 'a value in place of an address, which programs compare'],
  ['chain/lanes/make-lanes.ts', 'nobody', 'a value in place of an address'],
  ['chain/launch/manage-table.ts', 'nobody', 'a value in place of an address'],
  ['activities/fee-sweep/harvest.ts', 'nobody', 'a value in place of an address'],
];

const isExcepted = (path: string, phrase: string): boolean =>
  EXCEPTIONS.some(([place, kept]) => path.startsWith(place) && kept === phrase);

export const anyOf = (phrases: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<![\p{L}-])(?:${phrases.join('|')})(?![\p{L}-])`, 'giu');

const phraseProblems = (path: string, passages: readonly Passage[], refused: RegExp): ProseProblem[] =>
  passages.flatMap(({ line, text }) =>
    [...text.matchAll(refused)]
      .filter(([phrase]) => !isExcepted(path, phrase.toLowerCase()))
      .map(([phrase]) => ({ path, line, rule: 'refused phrase' as const, text: `"${phrase}" in: ${text}` })),
  );

const sentenceProblems = (path: string, passages: readonly Passage[]): ProseProblem[] =>
  passages.flatMap(sentencesOf).flatMap((sentence) => {
    const { line, text } = sentence;
    const found: ProseProblem[] = [];
    if (isHeadless(sentence) && !isTitle(text)) found.push({ path, line, rule: 'headless opening', text });
    if (actorlessWords(sentence) > 0) found.push({ path, line, rule: 'no actor', text });
    if (isLong(sentence)) found.push({ path, line, rule: 'long sentence', text });
    return found;
  });

const codeProblems = (file: SourceFile, refused: RegExp): ProseProblem[] => {
  const comments = commentsOf(file);
  const texts = /\.tsx?$/.test(file.path) && file.text.match(refused) !== null ? textsOf(file) : [];
  return [...phraseProblems(file.path, [...comments, ...texts], refused), ...sentenceProblems(file.path, comments)];
};

const pageProblems = (file: SourceFile, refused: RegExp): ProseProblem[] => {
  const glossary = file.path === GLOSSARY_PAGE ? glossaryLine() : Number.POSITIVE_INFINITY;
  const passages = passagesOf(file).filter(({ line }) => line < glossary);
  return [...phraseProblems(file.path, passages, refused), ...sentenceProblems(file.path, passages)];
};

/** Problems of one file. Tests, generated files and these rules are not held to them. */
export const proseProblemsOf = (file: SourceFile, refused: RegExp): readonly ProseProblem[] => {
  if (file.path.startsWith('dev/house/')) return [];
  if (file.path.endsWith('.md')) return pageProblems(file, refused);
  return isCommentedFile(file.path) ? codeProblems(file, refused) : [];
};
