import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** Runs the whole platform of a commit, by its own code, on a data directory. */
export async function startOlderStack(root: string, data: string, env: NodeJS.ProcessEnv): Promise<OlderStack> {
  const program = join(root, 'older-stack.ts');
  writeFileSync(program, programOf(data));
  const child = spawn(process.execPath, [program], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const addresses = await Promise.race([firstLine(child), ended.then(() => null)]);
  if (addresses === null) throw new Error(`the platform of ${root} did not start`);
  return {
    addresses: Value.Parse(AddressesShape, Value.Clean(AddressesShape, JSON.parse(addresses))),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

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
