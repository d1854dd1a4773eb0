import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** A small project with one planted import each. */
const FILES = {
  'package.json': JSON.stringify({ type: 'module', devDependencies: { litesvm: '1' } }),
  'dev/stand-in/adapter.ts': 'export const standIn = 1;',
  'dev/site/wallet.ts': "export { standIn } from '../stand-in/adapter.ts';",
  'dev/local/main.ts': "export { standIn } from '../stand-in/adapter.ts';",
  'worker/chain.ts': "export { LiteSVM } from 'litesvm';",
  'worker/types.ts': "export type { LiteSVM } from 'litesvm';",
  'worker/run.ts': "export { standIn } from '../dev/stand-in/adapter.ts';",
  'client/index.ts': "export { standIn } from '../dev/stand-in/adapter.ts';",
  'web/main.ts': "export { standIn } from '../dev/site/wallet.ts';",
};

let folder: string;
let found: readonly string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-imports-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const { forbidden = [], options = {} } = await extractConfig(join(ROOT, '.dependency-cruiser.cjs'));
  const { output } = await cruise(
    ['client', 'dev', 'web', 'worker'],
    { ...options, tsConfig: undefined, baseDir: folder, validate: true, ruleSet: { forbidden } },
    { ...options.enhancedResolveOptions },
  );
  if (typeof output === 'string') throw new Error(output);
  found = output.summary.violations.map(({ rule, from }) => `${from}: ${rule.name}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['the service imports what is only for a local chain', 'worker/run.ts: service-never-imports-dev'],
  ['the service imports a development package', 'worker/chain.ts: no-dev-dependency-in-service'],
  ['the published client imports it', 'client/index.ts: client-imports-only-itself'],
  ['the deployed site imports it', 'web/main.ts: web-imports-only-client'],
  [
    'the local chain’s site imports code of the service or of Node',
    'dev/site/wallet.ts: local-site-imports-only-web-client-and-the-collection',
  ],
])('`npm run imports` fails where %s', (_, violation) => {
  expect(found).toContain(violation);
});

test('types of development packages, and entry points of dev, are allowed', () => {
  expect(found.filter((violation) => /^(worker\/types|dev\/local)/.test(violation))).toEqual([]);
});
