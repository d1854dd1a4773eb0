import { expect, test } from 'vitest';
import { ApiVariablesSchema } from '../../config/api.ts';
import { describeVariables, helpText } from '../../config/describe.ts';
import { WorkerVariablesSchema } from '../../config/worker.ts';

test('every variable is described, and every one that carries credentials is marked secret', () => {
  const variables = [...describeVariables(ApiVariablesSchema), ...describeVariables(WorkerVariablesSchema)];
  for (const { name, description, format } of variables) expect([name, description, format]).not.toContain('');
  const secrets = new Set(variables.filter(({ secret }) => secret).map(({ name }) => name));
  for (const { name } of variables.filter(carriesSecret)) {
    expect(secrets).toContain(name);
  }
});

test('the help text names defaults and what is required', () => {
  expect(helpText(ApiVariablesSchema)).toContain('PORT (default 8080)');
  expect(helpText(ApiVariablesSchema)).toContain('DATABASE_URL (required)');
});

/** The path of a file is no secret, whatever the file holds; nor are the tokens of a chain. */
function carriesSecret({ name }: { readonly name: string }): boolean {
  return /KEY|SEED|TOKEN(?!S|_MINT)|PASSWORD|DATABASE_URL|RPC_URL/.test(name) && !name.endsWith('_FILE');
}
