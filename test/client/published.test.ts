import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLIENT_PACKAGE } from '../../domain/client-package.ts';

const CLIENT = join(import.meta.dirname, '../../client');

it('the published client has the licence and the name of the repository', () => {
  const own = (file: string) => readFileSync(join(CLIENT, file), 'utf8');
  expect(own('LICENSE')).toBe(readFileSync(join(CLIENT, '../LICENSE'), 'utf8'));
  expect(JSON.parse(own('package.json'))).toMatchObject({ name: CLIENT_PACKAGE, license: 'Apache-2.0' });
});

it('nothing in the published client is for a local chain: that is handed in from dev', () => {
  const files = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|json|md)$/.test(file) && !/^(dist|node_modules)\//.test(file),
  );
  expect(files).toContain('cli/main.ts');
  const isLocalOnly = (text: string) => /stand-?in|local desk|demo wallet/i.test(text);
  const text = (file: string) => readFileSync(join(CLIENT, file), 'utf8');
  expect(files.filter((file) => isLocalOnly(file) || isLocalOnly(text(file)))).toEqual([]);
});
