import { defineConfig, globalIgnores } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

export default defineConfig([
  globalIgnores([
    'node_modules/',
    '.data/',
    'coverage/',
    'client/dist/',
    'web/dist/',
    '**/*.cjs',
    '**/*.mjs',
    'eslint.config.js',
  ]),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      // One declaration per module: `import type` where it brings only types, inline `type` where it is mixed.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allow: ['bigint'] },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CatchClause > BlockStatement[body.length=0]',
          message: 'Handle the error, wrap it, or let it rise; an empty catch hides it.',
        },
        {
          selector:
            ':matches(ObjectExpression, ArrayExpression, CallExpression, NewExpression) > SpreadElement > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write the entries themselves instead of spreading a fresh literal.',
        },
        {
          selector:
            'SpreadElement > :matches(TSAsExpression, TSSatisfiesExpression) > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write the entries themselves instead of spreading a fresh literal.',
        },
        {
          selector:
            'ExportNamedDeclaration[exportKind="value"][specifiers.length>0]:not(:has(> ExportSpecifier[exportKind="value"]))',
          message: 'Say `export type { … }` where only types are exported again.',
        },
        {
          selector:
            'ConditionalExpression[test.operator="instanceof"][test.right.name="Error"][alternate.callee.name="String"] > MemberExpression.consequent[property.name="message"]',
          message: 'Say errorText(error) of domain/error-text.ts.',
        },
      ],
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
    },
  },
  {
    // Workflow code is replayed: no clock, randomness or I/O of its own (Temporal's sandbox replaces Date and Math.random, the rest is forbidden here).
    files: ['workflows/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['node:*', 'pg', 'kysely', '@solana/*', 'undici', 'pino'] }],
      'no-restricted-globals': ['error', 'process', 'fetch', 'setImmediate', 'performance'],
    },
  },
  {
    // The client and the site run in browsers: what only Node has belongs to the client's command line.
    files: ['client/**/*.ts', 'web/**/*.ts', 'web/**/*.tsx'],
    ignores: ['client/cli/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['node:*'] }],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'setImmediate', 'global'],
    },
  },
  { files: ['test/**', 'bench/**', 'dev/**', 'ops/**'], rules: { 'no-console': 'off' } },
  prettier,
]);
