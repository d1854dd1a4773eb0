import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openScratchCopy } from '../scratch-copy.ts';

const run = promisify(execFile);

const REPOSITORY = join(import.meta.dirname, '../../..');

/** The member of the union alone. */
export const MEMBER = join(import.meta.dirname, 'member.patch');

/** Everything else that a developer writes for it. */
export const FILLED = join(import.meta.dirname, 'filled.patch');

/** One comparison, as a hurried change would write it. */
export const TERNARY = join(import.meta.dirname, 'ternary.patch');

const PROJECTS = ['.', 'web'] as const;

/** A property is missing, properties are missing, a function ends without a case, a value is not `never`. */
const LACKING = ['TS2741', 'TS2739', 'TS2366', 'TS1360'];

/** A copy of the last commit in which a tier is added step by step. */
export interface ScratchTier {
  apply(patch: string, ...options: string[]): Promise<void>;
  /** Files with an error of the compiler, sorted: all, or those with a `Record` or a `switch` that lacks a member. */
  compilerErrors(which: 'all' | 'lacking'): Promise<string[]>;
  /** Runs a program of the copy; returns its exit status and what it wrote. */
  program(...args: string[]): Promise<Ran>;
  close(): Promise<void>;
}

export interface Ran {
  readonly code: number;
  readonly text: string;
}

export async function openScratchTier(): Promise<ScratchTier> {
  const { path, close } = await openScratchCopy(REPOSITORY, 'third-tier');
  const program = (...args: string[]) => ranIn(path, args);
  return {
    apply: async (patch, ...options) => void (await run('git', ['-C', path, 'apply', ...options, patch])),
    compilerErrors: async (which) => {
      const compiled = [];
      for (const project of PROJECTS)
        compiled.push(await program('node_modules/typescript-native/bin/tsc', '-p', project));
      const errors = compiled.flatMap(({ text }) => [...text.matchAll(/^([\w./-]+)\(\d+,\d+\): error (TS\d+)/gm)]);
      const counted = errors.filter(([, , code = '']) => which === 'all' || LACKING.includes(code));
      return [...new Set(counted.map(([, file = '']) => file))].sort();
    },
    program,
    close,
  };
}

/** Without what Vitest says to its own processes. The packages of the cache are shared. */
const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV)/.test(name))),
  SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] ?? join(REPOSITORY, '.data/cache'),
};

async function ranIn(cwd: string, args: readonly string[]): Promise<Ran> {
  try {
    const { stdout, stderr } = await run(process.execPath, args, { cwd, env: ENV, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') throw error;
    const written = ['stdout', 'stderr'].map((name) => String(Reflect.get(error, name) ?? ''));
    return { code: error.code, text: written.join('') };
  }
}

/** Files that a patch changes. */
export function filesOf(patch: string): string[] {
  return [...readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
}

/** Files that CONTRIBUTING says the compiler names for a new tier, by step, each sorted. */
export function namedPlaces(): string[][] {
  const text = readFileSync(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8');
  const item = /^- \*\*a fee tier\*\*(.*?)^- /ms.exec(text)?.[1] ?? '';
  const steps = [...item.matchAll(/`npm run typecheck` then names (.*)$/gm)].map(([, rest = '']) => rest);
  return steps.map((step) => [...step.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = '']) => file).sort());
}
