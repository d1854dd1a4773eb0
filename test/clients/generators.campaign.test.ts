import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  binOf,
  goGenerator,
  npmGenerators,
  pythonGenerators,
  RUN_MS,
  runIn,
  tidyGo,
} from '../support/clients/generators.ts';
import { operationsOf } from '../support/clients/operations.ts';
import { INSTALL_MS } from '../support/python.ts';
import { testApp } from '../support/api/test-app.ts';

/** What generators of other people make of the documents: each operation is there, and the code compiles as strictly as it can be asked to. */

const FILES = ['openapi.json', 'openapi.full.json'] as const;
const TIMEOUT_MS = INSTALL_MS + 3 * RUN_MS;

const folder = mkdtempSync(join(tmpdir(), 'slipway-generators-'));
let operations: readonly string[] = [];
beforeAll(async () => {
  const app = await testApp();
  for (const file of FILES) writeFileSync(join(folder, file), (await app.inject(`/api/public/v1/${file}`)).body);
  await app.close();
  operations = operationsOf(readFileSync(join(folder, FILES[1]), 'utf8')).map(({ id }) => id);
  expect(operations.length).toBeGreaterThan(20);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Folder of its own for what is generated. */
function folderFor(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

const pascal = (operation: string) => operation[0]?.toUpperCase() + operation.slice(1);
const snake = (operation: string) => operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'];

const STRICT_BUNDLED =
  '--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck --lib es2022,dom,dom.iterable'.split(
    ' ',
  );

/** Further generators of TypeScript: how they are run, what they write, and how an operation stands in it. */
const OF_NPM = [
  {
    program: 'openapi-ts',
    args: (source: string) => ['-i', source, '-o', 'client', '-c', '@hey-api/client-fetch'],
    file: 'client/sdk.gen.ts',
    called: (operation: string) => `export const ${operation} = `,
  },
  {
    program: 'swagger-typescript-api',
    args: (source: string) => ['generate', '-p', source, '-o', '.', '-n', 'api.ts'],
    file: 'api.ts',
    called: (operation: string) => `    ${operation}: (`,
  },
  {
    program: 'oazapfts',
    args: (source: string) => [source, 'api.ts'],
    file: 'api.ts',
    called: (operation: string) => `export function ${operation}(`,
  },
] as const;

describe.each(FILES)('%s', (file) => {
  const source = () => join(folder, file);

  test('openapi-typescript', { timeout: TIMEOUT_MS }, async (context) => {
    const bin = binOf(await npmGenerators(), context);
    const out = folderFor(`openapi-typescript-${file}`);
    await runIn(out, join(bin, 'openapi-typescript'), [source(), '-o', 'api.ts']);
    const code = readFileSync(join(out, 'api.ts'), 'utf8');
    for (const operation of operations) expect(code).toContain(`operations["${operation}"]`);
    await runIn(out, join(bin, 'tsc'), [...STRICT, 'api.ts']);
  });

  test('orval', { timeout: TIMEOUT_MS }, async (context) => {
    const bin = binOf(await npmGenerators(), context);
    const out = folderFor(`orval-${file}`);
    await runIn(out, join(bin, 'orval'), ['--input', source(), '--output', 'api.ts', '--client', 'fetch']);
    const code = readFileSync(join(out, 'api.ts'), 'utf8');
    for (const operation of operations) expect(code).toContain(`export const ${operation} = async`);
    await runIn(out, join(bin, 'tsc'), [...STRICT, '--lib', 'es2022,dom,dom.iterable', 'api.ts']);
  });

  test.for(OF_NPM)('$program', { timeout: TIMEOUT_MS }, async ({ program, args, file: made, called }, context) => {
    const bin = binOf(await npmGenerators(), context);
    const out = folderFor(`${program}-${file}`);
    await runIn(out, join(bin, program), args(source()));
    const code = readFileSync(join(out, made), 'utf8');
    for (const operation of operations) expect(code).toContain(called(operation));
    // oazapfts imports its runtime from there.
    symlinkSync(join(bin, '..'), join(out, 'node_modules'));
    await runIn(out, join(bin, 'tsc'), [...STRICT_BUNDLED, made]);
  });

  test('openapi-python-client', { timeout: TIMEOUT_MS }, async (context) => {
    const bin = binOf(await pythonGenerators(), context);
    const out = folderFor(`python-${file}`);
    const args = ['generate', '--path', source(), '--output-path', join(out, 'client'), '--meta', 'none'];
    const told = await runIn(out, join(bin, 'openapi-python-client'), args);
    expect(told).not.toMatch(/WARNING parsing|Unable to|will not be generated/i);
    const modules = ['data', 'launch', 'fees'].flatMap((tag) => readdirSync(join(out, 'client/api', tag)));
    expect(modules).toEqual(expect.arrayContaining(operations.map((operation) => `${snake(operation)}.py`)));
    await runIn(out, join(bin, 'python'), ['-m', 'compileall', '-q', 'client']);
    const imports = ['data', 'launch', 'fees'].map((tag) => `import client.api.${tag}`).join('; ');
    await runIn(out, join(bin, 'python'), ['-c', `${imports}; import client.models`]);
  });

  test('oapi-codegen', { timeout: TIMEOUT_MS }, async (context) => {
    const bin = binOf(await goGenerator(), context);
    const out = folderFor(`go-${file}`);
    const args = ['-generate', 'types,client', '-package', 'client', '-o', 'client.go', source()];
    await runIn(out, join(bin, 'oapi-codegen'), args);
    const code = readFileSync(join(out, 'client.go'), 'utf8');
    for (const operation of operations)
      expect(code).toMatch(new RegExp(`func \\(c \\*Client\\) ${pascal(operation)}(WithBody)?\\(`));
    // A value whose type the generator does not understand becomes `interface{}`; objects without fields are maps of it.
    const untyped = code.split('\n').filter((line) => /(?<!map\[string\])interface\{\}/.test(line));
    expect(untyped).toEqual([]);
    const missing = await tidyGo(out);
    if (missing !== null) return context.skip(`not installed: ${missing}`);
    await runIn(out, 'go', ['vet', './...'], { GOFLAGS: '-mod=mod -buildvcs=false', GOTOOLCHAIN: 'local' });
  });
});
