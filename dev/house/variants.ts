import ts from 'typescript';

/** Each exported union of literals in these folders is ours: its facts stand in a `Record`, or in a full `switch`. */
const FOLDERS = ['domain/', 'db/schema/'];

/** Unions of ours in other files. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'chain/exchange/pool-math/swap.ts': ['SwapRefusal'],
  'db/reward/reward-record.ts': ['PublicRoundState'],
};

/** Unions that one comparison may decide, with the reason. */
const OPEN: Readonly<Record<string, string>> = {
  ErrorCode: 'A handler takes the one error that it can bear. Every other one rises.',
  EventType: 'A reader of events takes the types that it knows, as clients do.',
  SwapSide: 'A swap has two directions, and no third one can come.',
};

export interface VariantProblem {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const LOGICAL: readonly ts.SyntaxKind[] = [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken];

const EQUALITY: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];

/**
 * Finds comparisons of a listed union with one of its members: a new member would silently take the other branch. Reads
 * types, so it finds them whatever a property is called. A guard that throws (`if (mode !== 'reward') throw …`) is no
 * such branch.
 */
export function variantProblems(program: ts.Program, root: string, listed: ListedVariants): VariantProblem[] {
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => isOwn(fileName, root) && !isDeclarationFile)
    .flatMap((file) => comparisonsIn(file).flatMap((found) => problemOf(checker, file, found, { listed, root })));
}

function isOwn(fileName: string, root: string): boolean {
  return fileName.startsWith(`${root}/`) && !fileName.includes('/node_modules/');
}

/** Names of the listed unions by their members. */
export type ListedVariants = ReadonlyMap<string, string>;

/** @throws Error for a name of `elsewhere` that is no union of literals in its file, or of `open` that no file exports */
export function listVariants(
  program: ts.Program,
  root: string,
  { folders, elsewhere, open } = { folders: FOLDERS, elsewhere: ELSEWHERE, open: OPEN },
): ListedVariants {
  const inFolders = program
    .getSourceFiles()
    .filter(({ fileName }) => folders.some((folder) => fileName.startsWith(`${root}/${folder}`)))
    .flatMap((file) => unionsIn(program, file));
  const others = Object.entries(elsewhere).flatMap(([path, names]) => {
    const file = program.getSourceFile(`${root}/${path}`);
    const unions = file ? unionsIn(program, file) : [];
    return names.map((name) => named(unions, name, path));
  });
  for (const name of Object.keys(open)) named(inFolders, name, folders.join(', '));
  const listed = [...inFolders, ...others].filter(({ name }) => open[name] === undefined);
  return new Map(listed.map(({ name, members }) => [members, name]));
}

interface Union {
  readonly name: string;
  readonly members: string;
}

function named(unions: readonly Union[], name: string, where: string): Union {
  const found = unions.find((one) => one.name === name);
  if (!found) throw new Error(`${where} has no union of literals "${name}"`);
  return found;
}

function unionsIn(program: ts.Program, file: ts.SourceFile): Union[] {
  const checker = program.getTypeChecker();
  const aliases = file.statements.filter((statement) => ts.isTypeAliasDeclaration(statement));
  return aliases.filter(isExported).flatMap(({ name }) => {
    const members = memberKey(checker.getTypeAtLocation(name));
    return members === undefined ? [] : [{ name: name.text, members }];
  });
}

function isExported({ modifiers }: ts.TypeAliasDeclaration): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** Undefined unless all members, but for null and undefined, are literals. */
function memberKey(type: ts.Type): string | undefined {
  const members = (type.isUnion() ? type.types : [type]).filter(
    ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0,
  );
  const values = members.map((one) => (one.isStringLiteral() || one.isNumberLiteral() ? String(one.value) : undefined));
  return values.length > 1 && values.every((value) => value !== undefined) ? values.sort().join('|') : undefined;
}

function comparisonsIn(file: ts.SourceFile): ts.BinaryExpression[] {
  const found: ts.BinaryExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && EQUALITY.includes(node.operatorToken.kind) && decides(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** True for a condition with something for all other members: of a ternary, an `if` with `else`, or of `… && value`. */
function decides(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (ts.isIfStatement(parent)) return parent.expression === node && hasElse(parent);
  if (ts.isPrefixUnaryExpression(parent) || ts.isParenthesizedExpression(parent)) return decides(parent);
  if (!ts.isBinaryExpression(parent)) return false;
  const { kind } = parent.operatorToken;
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken && parent.left === node && isValue(parent.right)) return true;
  return LOGICAL.includes(kind) && decides(parent);
}

/** An `if` that returns has the statements behind it as its `else`; one that throws is a guard. */
function hasElse({ thenStatement, elseStatement, parent }: ts.IfStatement): boolean {
  if (elseStatement) return true;
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  return last !== undefined && ts.isReturnStatement(last) && last.expression !== undefined && ts.isBlock(parent);
}

function isValue(node: ts.Expression): boolean {
  const inner = ts.isParenthesizedExpression(node) ? node.expression : node;
  return ts.isObjectLiteralExpression(inner) || ts.isJsxElement(inner) || ts.isStringLiteral(inner);
}

function problemOf(
  checker: ts.TypeChecker,
  file: ts.SourceFile,
  { left, right, parent }: ts.BinaryExpression,
  { listed, root }: { readonly listed: ListedVariants; readonly root: string },
): VariantProblem[] {
  const compared = isLiteral(right) ? left : isLiteral(left) ? right : undefined;
  const name = compared && listed.get(memberKey(declaredType(checker, compared)) ?? '');
  if (name === undefined) return [];
  const { line } = file.getLineAndCharacterOfPosition(left.getStart());
  return [
    { path: file.fileName.slice(root.length + 1), line: line + 1, text: `${name}: ${parent.getText().slice(0, 80)}` },
  ];
}

function isLiteral(node: ts.Expression): boolean {
  return ts.isStringLiteral(node) || ts.isNumericLiteral(node);
}

/** As declared, not as narrowed by an earlier comparison. */
function declaredType(checker: ts.TypeChecker, node: ts.Expression): ts.Type {
  const symbol = checker.getSymbolAtLocation(node);
  return symbol ? checker.getTypeOfSymbol(symbol) : checker.getTypeAtLocation(node);
}

/** The program of a `tsconfig.json`. */
export function programOf(root: string, config: string, isWanted: (path: string) => boolean): ts.Program {
  const read = ts.readConfigFile(`${root}/${config}`, (path) => ts.sys.readFile(path));
  const folder = ts.sys.resolvePath(`${root}/${config}/..`);
  const { fileNames, options } = ts.parseJsonConfigFileContent(read.config, ts.sys, folder);
  return ts.createProgram(fileNames.filter(isWanted), { ...options, incremental: false, noEmit: true });
}
