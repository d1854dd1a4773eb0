import ts from 'typescript';
import type { SourceFile } from './source-file.ts';

export interface Passage {
  line: number;
  /** Without comment signs, Markdown signs and code in backticks. */
  text: string;
}

const scriptKind = (path: string): ts.ScriptKind => (path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);

export const parse = ({ path, text }: SourceFile): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, scriptKind(path));

const commentRanges = (source: ts.SourceFile): readonly ts.CommentRange[] => {
  const ranges = new Map<number, ts.CommentRange>();
  const collect = (found: readonly ts.CommentRange[] | undefined): void => {
    for (const range of found ?? []) ranges.set(range.pos, range);
  };
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    if (node.getChildCount(source) === 0) {
      collect(ts.getLeadingCommentRanges(source.text, node.getFullStart()));
      collect(ts.getTrailingCommentRanges(source.text, node.getEnd()));
    }
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...ranges.values()].toSorted((left, right) => left.pos - right.pos);
};

const withoutSigns = (comment: string): string =>
  comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .replace(/^\s*(\/\/+|\*)/gm, '')
    .replace(/\{@\w+ ([^}]*)\}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

const isDirective = (text: string): boolean => /^(oxlint-|oxfmt-|eslint-|@ts-|#region|#endregion)/.test(text);

export const commentsOf = (file: SourceFile): readonly Passage[] => {
  const source = parse(file);
  const passages: { line: number; text: string; end: number }[] = [];
  for (const range of commentRanges(source)) {
    const text = withoutSigns(file.text.slice(range.pos, range.end));
    if (text === '' || isDirective(text)) continue;
    const last = passages.at(-1);
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const between = last === undefined ? 'x' : file.text.slice(last.end, range.pos);
    if (last !== undefined && isLine && /^\n[ \t]*$/.test(between)) {
      last.text += ` ${text}`;
      last.end = range.end;
    } else {
      const { line } = source.getLineAndCharacterOfPosition(range.pos);
      passages.push({ line: line + 1, text, end: range.end });
    }
  }
  return passages.map(({ line, text }) => ({ line, text }));
};
