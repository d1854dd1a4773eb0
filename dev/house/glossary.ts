import { readSource } from './source-file.ts';

export const GLOSSARY_PAGE = 'docs/architecture.md';
const HEADING = '## Words';

export interface Glossary {
  terms: readonly string[];
  /** Phrases of the column "instead of", lower case. */
  refused: readonly string[];
}

const cellsOf = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** @throws when the page has no such table */
export const readGlossary = (): Glossary => {
  const { text } = readSource(GLOSSARY_PAGE);
  const rows = text
    .slice(text.indexOf(`${HEADING}\n`))
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf);
  const [head, , ...entries] = rows;
  if (head?.[2] !== 'instead of') throw new Error(`${GLOSSARY_PAGE} has no glossary under "${HEADING}"`);
  const column = (at: number): string[] =>
    entries.flatMap((cells) => (cells[at] ?? '').split(', ')).filter((phrase) => phrase !== '' && phrase !== '–');
  return { terms: entries.map(([term = '']) => term), refused: column(2).map((phrase) => phrase.toLowerCase()) };
};

/** First line of the glossary in its page, counted from 1. */
export const glossaryLine = (): number => readSource(GLOSSARY_PAGE).text.split(`${HEADING}\n`)[0]!.split('\n').length;
