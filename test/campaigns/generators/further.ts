import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildFolder, cacheFolder, installedOnce } from '../../support/cache.ts';
import { COMPILE_MS, mavenGenerator, runIn } from '../../support/clients/generators.ts';

const run = promisify(execFile);

const OGEN = 'github.com/ogen-go/ogen@v1.25.0';
const PROGENITOR = 'cargo-progenitor@0.15.1';
const K6 = 'go.k6.io/k6@v1.8.1';
const SWAGGER_CODEGEN = 'io.swagger.codegen.v3:swagger-codegen-cli:3.0.57';
const ARTILLERY = 'artillery@2.0.34';
const SWAGGER_JAR = 'swagger-codegen-cli.jar';
/** Its Java code names classes that Java has no longer had since 11. */
const ANNOTATIONS =
  '<dependency><groupId>javax.annotation</groupId><artifactId>javax.annotation-api</artifactId><version>1.3.2</version></dependency>';

const GO_ENV = { GOFLAGS: '-mod=mod -buildvcs=false' };

export const DOCUMENTS = ['openapi.json', 'openapi.full.json'] as const;
export type DocumentFile = (typeof DOCUMENTS)[number];

/** A generator of other people, that `.ci/run` does not run. */
export interface Further {
  readonly name: string;
  /** Documents that it can read. */
  readonly files: readonly DocumentFile[];
  /** Generates a client of the document in the folder, and compiles it. */
  readonly make: (source: string, out: string) => Promise<void>;
  /** Matches an operation in the code. */
  readonly called: (operation: string) => RegExp;
}

export const FURTHER: readonly Further[] = [
  {
    name: 'ogen',
    files: DOCUMENTS,
    make: async (source, out) => {
      const bin = await goProgram('generators-ogen', OGEN.replace('@', '/cmd/ogen@'));
      await runIn(out, join(bin, 'ogen'), ['--target', '.', '--package', 'client', '--clean', source]);
      writeFileSync(join(out, 'go.mod'), 'module example.test/client\n\ngo 1.25.0\n');
      await runIn(out, 'go', ['get', OGEN], GO_ENV, COMPILE_MS);
      await runIn(out, 'go', ['mod', 'tidy'], GO_ENV, COMPILE_MS);
      await runIn(out, 'go', ['vet', '.'], GO_ENV, COMPILE_MS);
    },
    called: (operation) => new RegExp(`func \\(c \\*Client\\) ${operation}\\(`, 'i'),
  },
  {
    name: 'swagger-codegen',
    files: DOCUMENTS,
    make: async (source, out) => {
      const jar = join(await swaggerCodegen(), SWAGGER_JAR);
      await runIn(out, 'java', ['-jar', jar, 'generate', '-i', source, '-l', 'java', '-o', '.'], {}, COMPILE_MS);
      const pom = join(out, 'pom.xml');
      writeFileSync(pom, readFileSync(pom, 'utf8').replace('<dependencies>', `<dependencies>${ANNOTATIONS}`));
      await runIn(out, 'mvn', ['--quiet', '--batch-mode', 'compile'], {}, COMPILE_MS);
    },
    called: (operation) => new RegExp(` ${operation}\\(`),
  },
  {
    name: 'progenitor',
    // It stops at an operation whose errors have several shapes.
    files: ['openapi.json'],
    make: async (source, out) => {
      const folder = cacheFolder('generators-progenitor', PROGENITOR);
      await installedOnce(folder, async () => {
        await runIn(out, 'cargo', ['install', '--root', folder, PROGENITOR], {}, COMPILE_MS);
      });
      // It refuses the version, and this document has nothing that 3.0 lacks.
      const older = join(out, 'older.json');
      writeFileSync(older, readFileSync(source, 'utf8').replace('"openapi":"3.1.0"', '"openapi":"3.0.3"'));
      const client = join(out, 'client');
      const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
      const args = ['progenitor', '-i', older, '-o', client, '-n', 'platform-client', '-v', '0.1.0'];
      await runIn(out, 'cargo', args, { PATH });
      const target = { CARGO_TARGET_DIR: buildFolder('generators-progenitor-target') };
      await runIn(client, 'cargo', ['check', '--quiet'], target, COMPILE_MS);
    },
    called: (operation) =>
      new RegExp(`fn ${operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}[<(]`),
  },
];

/** Writes the load test that openapi-generator makes of a document, and returns its file. */
export async function writeK6Script(source: string, out: string): Promise<string> {
  const generator = await mavenGenerator();
  if ('missing' in generator) throw new Error(generator.missing);
  const jar = join(generator.bin, 'openapi-generator-cli.jar');
  mkdirSync(out, { recursive: true });
  await runIn(out, 'java', ['-jar', jar, 'generate', '-i', source, '-g', 'k6', '-o', '.']);
  return join(out, 'script.js');
}

/** Runs a script once, and returns what k6 printed. */
export async function runK6(script: string): Promise<string> {
  const bin = await goProgram('generators-k6', K6);
  return runIn(join(script, '..'), join(bin, 'k6'), ['run', '--quiet', '--vus', '1', '--iterations', '1', script]);
}

/** Asks for each path once, in order, and returns how many responses had each status. @throws Error for a request without one */
export async function runArtillery(
  out: string,
  target: string,
  paths: readonly string[],
): Promise<Record<string, number>> {
  const flow = paths.map((url) => ({ get: { url } }));
  const config = { target, phases: [{ duration: 1, arrivalCount: 1 }] };
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'script.json'), JSON.stringify({ config, scenarios: [{ flow }] }));
  const program = join(await npmProgram('generators-artillery', ARTILLERY), 'node_modules/.bin/artillery');
  const args = [program, 'run', '--quiet', '--output', 'report.json', 'script.json'];
  await runIn(out, process.execPath, args, { ARTILLERY_DISABLE_TELEMETRY: 'true' }, COMPILE_MS);
  const { aggregate } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as ArtilleryReport;
  const failed = Object.keys(aggregate.counters).filter((name) => name.startsWith('errors.'));
  if (failed.length > 0) throw new Error(failed.join(', '));
  const codes = Object.entries(aggregate.counters).filter(([name]) => name.startsWith('http.codes.'));
  return Object.fromEntries(codes.map(([name, count]) => [name.replace('http.codes.', ''), count]));
}

interface ArtilleryReport {
  readonly aggregate: { readonly counters: Readonly<Record<string, number>> };
}

/** The text of all code below a folder. */
export function codeIn(out: string): string {
  return readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(go|java|rs)$/.test(file))
    .map((file) => readFileSync(join(out, file), 'utf8'))
    .join('\n');
}

async function goProgram(name: string, module: string): Promise<string> {
  const folder = cacheFolder(name, module);
  const env = { ...process.env, GOBIN: folder };
  await installedOnce(folder, () => run('go', ['install', module], { env, timeout: COMPILE_MS }).then(() => undefined));
  return folder;
}

async function npmProgram(name: string, pinned: string): Promise<string> {
  const folder = cacheFolder(name, pinned);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, pinned];
  await installedOnce(folder, () => run('npm', args, { timeout: COMPILE_MS }).then(() => undefined));
  return folder;
}

async function swaggerCodegen(): Promise<string> {
  const folder = cacheFolder('generators-swagger-codegen', SWAGGER_CODEGEN);
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
  const options = [`-Dartifact=${SWAGGER_CODEGEN}`, `-DoutputDirectory=${folder}`, '-Dmdep.stripVersion=true'];
  await installedOnce(folder, () =>
    run('mvn', ['--quiet', '--batch-mode', goal, ...options], { timeout: COMPILE_MS }).then(() => undefined),
  );
  return folder;
}
