import ts from 'typescript';
import { parse } from './comments.ts';
import type { SourceFile } from './source-file.ts';

/** More is too wide. */
export const MOST_MEMBERS = 15;

export interface WideType {
  path: string;
  name: string;
  members: number;
}

type MemberedType = ts.InterfaceDeclaration | ts.TypeLiteralNode;

const nameOf = (node: MemberedType): string => {
  if (ts.isInterfaceDeclaration(node)) return node.name.text;
  for (let parent: ts.Node = node.parent; !ts.isSourceFile(parent); parent = parent.parent)
    if (ts.isTypeAliasDeclaration(parent) || ts.isFunctionDeclaration(parent)) return parent.name?.text ?? '';
  return '';
};

export const wideTypesOf = (file: SourceFile): readonly WideType[] => {
  const found: WideType[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) && node.members.length > MOST_MEMBERS)
      found.push({ path: file.path, name: nameOf(node), members: node.members.length });
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
};

export const isTableRow = ({ path }: WideType): boolean => path.startsWith('db/schema/');
