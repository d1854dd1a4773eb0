// The rules that Oxlint has not: .oxlintrc.json loads this file and switches them on by the names at its end.
import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];

/** A rule that reports whatever one of these selectors finds; they are written as ESLint's, of ESTree nodes. */
const forbid = (message: string, ...selectors: readonly string[]): Rule => ({
  create: (context) => ({ [selectors.join(', ')]: (node) => context.report({ node, message }) }),
});

const LITERAL = ':matches(ObjectExpression, ArrayExpression)';

export default {
  meta: { name: 'house' },
  rules: {
    'no-empty-catch': forbid(
      'Handle the error, wrap it, or let it rise; an empty catch hides it.',
      'CatchClause > BlockStatement[body.length=0]',
    ),
    'no-spread-literal': forbid(
      'Write the entries themselves instead of spreading a fresh literal.',
      `:matches(ObjectExpression, ArrayExpression, CallExpression, NewExpression) > SpreadElement > ${LITERAL}`,
      `SpreadElement > :matches(TSAsExpression, TSSatisfiesExpression) > ${LITERAL}`,
    ),
    'export-type': forbid(
      'Say `export type { … }` where only types are exported again.',
      'ExportNamedDeclaration[exportKind="value"][specifiers.length>0]:not(:has(> ExportSpecifier[exportKind="value"]))',
    ),
    'error-text': forbid(
      'Say errorText(error) of domain/error-text.ts.',
      'ConditionalExpression[test.operator="instanceof"][test.right.name="Error"][alternate.callee.name="String"] > MemberExpression.consequent[property.name="message"]',
    ),
  },
};
