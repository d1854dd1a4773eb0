import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../support/api/test-app.ts';
import {
  binOf,
  COMPILE_MS,
  GENERATOR_JAR,
  hasProgram,
  mavenGenerator,
  npmGenerators,
  pythonGenerators,
  runIn,
  runOnline,
  RUN_MS,
} from '../support/clients/generators.ts';
import { operationsOf } from '../support/clients/operations.ts';
import { buildFolder } from '../support/cache.ts';
import { INSTALL_MS } from '../support/python.ts';

/** What openapi-generator makes of both documents in five languages: each operation is there, and the code compiles. */

const FILES = ['openapi.json', 'openapi.full.json'] as const;

const folder = mkdtempSync(join(tmpdir(), 'slipway-openapi-generator-'));
const operations = new Map<string, readonly string[]>();
beforeAll(async () => {
  const app = await testApp();
  for (const file of FILES) {
    const { body } = await app.inject(`/api/public/v1/${file}`);
    writeFileSync(join(folder, file), body);
    operations.set(
      file,
      operationsOf(body).map(({ id }) => id),
    );
  }
  await app.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Language {
  readonly name: string;
  /** Options without which the code of this language does not compile. */
  readonly options: readonly string[];
  /** How an operation is called. */
  readonly called: (operation: string) => string;
  /** Compiles; resolves with why it could not, or null. */
  readonly compile: (out: string) => Promise<string | null>;
}

const pascal = (operation: string) => (operation[0] ?? '').toUpperCase() + operation.slice(1);
const snake = (operation: string) => operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const LANGUAGES: readonly Language[] = [
  {
    name: 'python',
    options: [],
    called: (operation) => `def ${snake(operation)}(`,
    compile: async (out) => {
      const found = await pythonGenerators();
      if ('missing' in found) return found.missing;
      const everyModel = 'import openapi_client.models, openapi_client.api';
      await runIn(out, join(found.bin, 'python'), ['-m', 'compileall', '-q', 'openapi_client']);
      await runIn(out, join(found.bin, 'python'), ['-c', everyModel]);
      return null;
    },
  },
  {
    name: 'go',
    // Constants of all enums share one scope there.
    options: ['--additional-properties', 'enumClassPrefix=true'],
    called: (operation) => `) ${pascal(operation)}(`,
    compile: (out) => runOnline(out, 'go', ['vet', '.'], { GOFLAGS: '-mod=mod -buildvcs=false', GOTOOLCHAIN: 'local' }),
  },
  {
    name: 'rust',
    options: [],
    called: (operation) => `pub async fn ${snake(operation)}(`,
    compile: (out) =>
      runOnline(out, 'cargo', ['check', '--quiet'], { CARGO_TARGET_DIR: buildFolder('generated-rust') }),
  },
  {
    name: 'java',
    options: ['--library', 'native', '--additional-properties', 'hideGenerationTimestamp=true'],
    called: (operation) => ` ${operation}(`,
    compile: (out) => runOnline(out, 'mvn', ['--quiet', '--batch-mode', 'compile']),
  },
  {
    name: 'csharp',
    options: ['--library', 'httpclient', '--additional-properties', 'targetFramework=net47,supportsRetry=false'],
    called: (operation) => ` ${pascal(operation)}Async(`,
    compile: compileCsharp,
  },
];

/** Assemblies of Mono that the C# client names. */
const ASSEMBLIES = ['Net.Http', 'Runtime.Serialization', 'ComponentModel.DataAnnotations', 'Web'];

/** Compiles with Mono; the client's JSON library lies in a package of npm. */
async function compileCsharp(out: string): Promise<string | null> {
  if (!hasProgram('mcs')) return 'there is no mcs on PATH';
  const packages = await npmGenerators();
  if ('missing' in packages) return packages.missing;
  const json = join(packages.bin, '../nswag/bin/binaries/Win/Newtonsoft.Json.dll');
  const files = readdirSync(join(out, 'src/Org.OpenAPITools'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.cs')).map((file) => join('src/Org.OpenAPITools', file));
  const references = [json, ...ASSEMBLIES.map((name) => `System.${name}.dll`)].map((file) => `-r:${file}`);
  await runIn(out, 'mcs', ['-langversion:latest', '-target:library', '-out:client.dll', ...references, ...sources]);
  return null;
}

/** Every text below a folder. */
function textOf(path: string): string {
  const files = readdirSync(path, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && /\.(py|go|rs|java|cs)$/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    .join('\n');
}

describe.each(LANGUAGES)('openapi-generator for $name', ({ name, options, called, compile }) => {
  test.for(FILES)('%s', { timeout: INSTALL_MS + 3 * RUN_MS + COMPILE_MS }, async (file, context) => {
    if (!hasProgram('java')) return context.skip('there is no java on PATH');
    const jar = join(binOf(await mavenGenerator(), context), GENERATOR_JAR);
    expect(existsSync(jar)).toBe(true);
    const out = join(folder, `${name}-${file}`);
    mkdirSync(out);
    const args = ['-jar', jar, 'generate', '-i', join(folder, file), '-g', name, '-o', out, ...options];
    await runIn(out, 'java', args);
    const code = textOf(out);
    for (const operation of operations.get(file) ?? []) expect(code).toContain(called(operation));
    const missing = await compile(out);
    if (missing !== null) context.skip(`generated, not compiled: ${missing}`);
  });
});
