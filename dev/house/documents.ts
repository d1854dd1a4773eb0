import type { Passage } from './comments.ts';
import type { SourceFile } from './source-file.ts';

const isRuler = (line: string): boolean => /^\s*\|?[\s:|-]+\|?\s*$/.test(line);
const opensPassage = (line: string): boolean => /^\s*(#|[-*+] |\d+\. |\||>)/.test(line);

const withoutSigns = (line: string): string =>
  line
    .replace(/<!--.*?-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(#+|[-*+]|\d+\.|>)\s+/, '')
    .replace(/\*\*|__/g, '')
    .trim();

/** Paragraphs, list items, headings, table cells; no code blocks. */
export const passagesOf = (file: SourceFile): readonly Passage[] => {
  const passages: { line: number; text: string }[] = [];
  let inCode = false;
  let open = false;
  for (const [index, line] of file.text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const isProse = !inCode && !/^( {4}|\t|\s*```)/.test(line) && line.trim() !== '' && !isRuler(line);
    const last = passages.at(-1);
    if (!isProse) {
      open = false;
    } else if (/^\s*\|/.test(line)) {
      for (const cell of line.split(/(?<!\\)\|/)) passages.push({ line: index + 1, text: withoutSigns(cell) });
      open = false;
    } else if (open && last !== undefined && !opensPassage(line)) {
      last.text += ` ${withoutSigns(line)}`;
    } else {
      passages.push({ line: index + 1, text: withoutSigns(line) });
      open = !/^\s*#/.test(line);
    }
  }
  return passages.filter(({ text }) => text !== '');
};
