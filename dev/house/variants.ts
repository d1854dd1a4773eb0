import ts from 'typescript';

/** Unions of ours whose facts stand in a `Record`, or in a `switch` with a case for each. */
export const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  'domain/token-balance.ts': ['BalanceState'],
  'domain/launch/receipt.ts': ['ReceiptKind'],
  'domain/reward/state.ts': ['RewardTransactionKind', 'RewardPayoutKind'],
  'domain/token-facts.ts': ['LaunchMode', 'FeeTier', 'RewardTaxBps', 'AirdropTier'],
  'domain/fee-models.ts': ['PositionHolder'],
  'domain/burn.ts': ['BurnKind'],
  'domain/money/finding.ts': ['FindingKind', 'Remedy'],
  'domain/money/statement.ts': ['StatementKind', 'Budget'],
  'chain/exchange/pool-math/swap.ts': ['SwapRefusal'],
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

/** @throws Error for a name that is no union of literals in its file */
export function listVariants(program: ts.Program, root: string, variants = VARIANTS): ListedVariants {
  const checker = program.getTypeChecker();
  const listed = new Map<string, string>();
  for (const [path, names] of Object.entries(variants)) {
    const file = program.getSourceFile(`${root}/${path}`);
    const aliases = file?.statements.filter((statement) => ts.isTypeAliasDeclaration(statement)) ?? [];
    for (const name of names) {
      const alias = aliases.find((one) => one.name.text === name);
      const members = alias && memberKey(checker.getTypeAtLocation(alias.name));
      if (members === undefined) throw new Error(`${path} has no union of literals "${name}"`);
      listed.set(members, name);
    }
  }
  return listed;
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
