import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { errorTextWithCauses } from '../../../domain/error-text.ts';
import { cacheFolder, installedOnce } from '../cache.ts';
import { INSTALL_MS, pythonWith } from '../python.ts';

const run = promisify(execFile);

const PINNED = join(import.meta.dirname, '../../clients/generators');

/** Longest that one generator or compiler runs, ms. */
export const RUN_MS = 240_000;

/** Longest that a compiler runs, ms: the first time it fetches and compiles what the client needs. */
export const COMPILE_MS = 900_000;

/** The Go module of the generator, and of the code that generated clients need. */
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OAPI_RUNTIME = 'github.com/oapi-codegen/runtime v1.9.0';

/** The Maven artifact of openapi-generator. */
const OPENAPI_GENERATOR = 'org.openapitools:openapi-generator-cli:7.17.0';
export const GENERATOR_JAR = 'openapi-generator-cli.jar';

/** A folder of programs, or why they could not be had. */
export type Installed = { readonly bin: string } | { readonly missing: string };

/** Runs a program to its end; rejects with what it printed. */
export async function runIn(
  cwd: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  timeout = RUN_MS,
): Promise<string> {
  try {
    const { stdout } = await run(program, args, { cwd, env: { ...process.env, ...env }, timeout });
    return stdout;
  } catch (cause) {
    const {
      stdout = '',
      stderr = '',
      killed = false,
    } = cause as Partial<Record<'stdout' | 'stderr', string>> & {
      readonly killed?: boolean;
    };
    const outcome = killed ? `was ended after ${timeout / 1000} s` : 'failed';
    throw new Error(`${program} ${args.join(' ')} ${outcome}: ${`${stdout}${stderr}`.slice(-3_000)}`, { cause });
  }
}

/** Runs a compiler that may ask its registry for packages; null, or why it could not be run. Rejects where the code is wrong. */
export async function runOnline(
  cwd: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string | null> {
  if (!hasProgram(program)) return `there is no ${program} on PATH`;
  try {
    await runIn(cwd, program, args, env, COMPILE_MS);
    return null;
  } catch (error) {
    return unreachable(error);
  }
}

/** Whether a program is on PATH. */
export function hasProgram(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** The programs, or the test is skipped with the reason. */
export function binOf(installed: Installed, context: TestContext): string {
  if ('bin' in installed) return installed.bin;
  context.skip(`not installed: ${installed.missing}`);
  throw new Error('a skipped test goes on');
}

/** Writes `go.mod` and fetches modules; null, or why they could not be had. Modules as lines of `require`. */
export async function tidyGo(folder: string, modules: readonly string[] = []): Promise<string | null> {
  const required = [OAPI_RUNTIME, ...modules].map((module) => `require ${module}\n`).join('');
  writeFileSync(join(folder, 'go.mod'), `module example.test/client\n\ngo 1.24.0\n\n${required}`);
  return runOnline(folder, 'go', ['mod', 'tidy'], { GOFLAGS: '-mod=mod -buildvcs=false', GOTOOLCHAIN: 'local' });
}

/** Programs of npm, in the pinned versions. */
export const npmGenerators = () =>
  onceIn('generators-npm', readFileSync(join(PINNED, 'package.json'), 'utf8'), installFromNpm, 'node_modules/.bin');

/** Programs of PyPI, in the pinned versions. */
export async function pythonGenerators(): Promise<Installed> {
  try {
    return { bin: await pythonWith(join(PINNED, 'requirements.txt'), 'generators-python') };
  } catch (error) {
    return { missing: unreachable(error) };
  }
}

/** The generator for Go, built from its module. */
export const goGenerator = () => onceIn('generators-go', OAPI_CODEGEN, installWithGo, '.');

/** openapi-generator; `bin` is the folder with `GENERATOR_JAR`. */
export const mavenGenerator = () => onceIn('generators-maven', OPENAPI_GENERATOR, installWithMaven, '.');

async function installFromNpm(folder: string): Promise<void> {
  copyFileSync(join(PINNED, 'package.json'), join(folder, 'package.json'));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, timeout: INSTALL_MS });
}

async function installWithGo(folder: string): Promise<void> {
  await run('go', ['install', OAPI_CODEGEN], { env: { ...process.env, GOBIN: folder }, timeout: INSTALL_MS });
}

async function installWithMaven(folder: string): Promise<void> {
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
  const options = [`-Dartifact=${OPENAPI_GENERATOR}`, `-DoutputDirectory=${folder}`, '-Dmdep.stripVersion=true'];
  await run('mvn', ['--quiet', '--batch-mode', goal, ...options], { timeout: INSTALL_MS });
}

/** Installs into a folder of the cache, once for its pins. */
async function onceIn(
  name: string,
  pins: string,
  install: (folder: string) => Promise<void>,
  programs: string,
): Promise<Installed> {
  const folder = cacheFolder(name, pins);
  try {
    await installedOnce(folder, () => install(folder));
  } catch (error) {
    return { missing: unreachable(error) };
  }
  return { bin: join(folder, programs) };
}

const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOENT|no such host|dial tcp|NewConnectionError|UnknownHostException|Could not transfer|could not be resolved/;

/** Why a registry or a toolchain is not to be had. Throws what is another failure. */
function unreachable(error: unknown): string {
  const text = errorTextWithCauses(error);
  if (NO_NETWORK.test(text) || /python3 \(3\.10/.test(text)) return text.slice(0, 300);
  throw error;
}
