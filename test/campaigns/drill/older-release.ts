import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const run = promisify(execFile);

const PROJECT = join(import.meta.dirname, '../../..');

/** True if this clone has the commit; a shallow one lacks it. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: PROJECT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Puts the sources of a commit, or one folder of them, into a folder, with this checkout's packages. */
export async function layOutCommit(commit: string, root: string, ...folder: readonly string[]): Promise<void> {
  mkdirSync(root, { recursive: true });
  const archive = join(root, 'sources.tar');
  await run('git', ['archive', '--format=tar', `--output=${archive}`, commit, ...folder], { cwd: PROJECT });
  await run('tar', ['-xf', archive, '-C', root]);
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
}

const AddressesShape = Type.Object({ siteUrl: Type.String(), rpcUrl: Type.String(), databaseUrl: Type.String() });

export interface OlderStack {
  readonly addresses: Static<typeof AddressesShape>;
  /** Ends its parts in order; their data stays. */
  stop(): Promise<void>;
}

/** 0.1.0 draws its ports without claiming them: another stack of this machine may take one meanwhile. */
const STARTS = 3;

/**
 * Runs the whole platform of a commit, by its own code, on a data directory that no stack has used.
 *
 * @throws with what it printed if it did not start
 */
export async function startOlderStack(root: string, data: string, env: NodeJS.ProcessEnv): Promise<OlderStack> {
  for (let start = 1; ; start += 1) {
    const started = await tryOlderStack(root, data, env);
    if (typeof started !== 'string') return started;
    if (start === STARTS) throw new Error(`the platform of ${root} did not start in ${STARTS} tries: ${started}`);
    console.log(`the platform of ${root} did not start and is tried again: ${started}`);
    rmSync(data, { recursive: true, force: true });
  }
}

/** Returns what it printed last if it did not start. */
async function tryOlderStack(root: string, data: string, env: NodeJS.ProcessEnv): Promise<OlderStack | string> {
  const program = join(root, 'older-stack.ts');
  writeFileSync(program, programOf(data));
  const child = spawn(process.execPath, [program], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (part: Buffer) => (printed = (printed + part.toString()).slice(-PRINTED_CHARACTERS)));
  const ended = once(child, 'close');
  const addresses = await firstLine(child);
  if (addresses === null) {
    await ended;
    return `${printed} (exit code ${child.exitCode ?? child.signalCode})`;
  }
  return {
    addresses: Value.Parse(AddressesShape, Value.Clean(AddressesShape, JSON.parse(addresses))),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const PRINTED_CHARACTERS = 4_000;

function programOf(data: string): string {
  return `import { startStack } from './dev/stack/index.ts';
const stack = await startStack({ dataDirectory: ${JSON.stringify(data)} });
process.on('SIGTERM', () => stack.stop().then(() => process.exit(0)));
console.log(JSON.stringify(stack));
`;
}

async function firstLine({ stdout }: ChildProcess): Promise<string | null> {
  if (!stdout) return null;
  for await (const line of createInterface({ input: stdout })) if (line.startsWith('{')) return line;
  return null;
}
