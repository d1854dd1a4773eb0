import ts from 'typescript';
import { type Passage, parse } from './comments.ts';
import type { SourceFile } from './source-file.ts';

const isText = (node: ts.Node): node is ts.Node & { text: string } =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isJsxText(node);

export const textsOf = (file: SourceFile): readonly Passage[] => {
  const source = parse(file);
  const passages: Passage[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && /\p{L}\s+\p{L}/u.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      passages.push({ line: line + 1, text: node.text.replace(/\s+/g, ' ') });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return passages;
};
