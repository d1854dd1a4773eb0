import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const IMPORT = /^(?:import|export)(?! type)[^;]*?from '(\.[^']+\.ts)'|^import '(\.[^']+\.ts)'/gm;

const importsOf = new Map<string, readonly string[]>();

/** Files of the project that a file imports by a value import; paths from the root. */
function directImports(file: string): readonly string[] {
  const known = importsOf.get(file);
  if (known) return known;
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = [...text.matchAll(IMPORT)]
    .map(([, named, bare]) => relative(ROOT, resolve(ROOT, dirname(file), named ?? bare ?? '')))
    .filter((path) => existsSync(join(ROOT, path)));
  importsOf.set(file, found);
  return found;
}

/** Every file of the project that loads when a file is imported, itself included; paths from the root. */
export function loadedBy(file: string): ReadonlySet<string> {
  const seen = new Set([file]);
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const path of directImports(next).filter((imported) => !seen.has(imported))) {
      seen.add(path);
      open.push(path);
    }
  }
  return seen;
}

/** Parts that run beside a test: servers of the test run, the local chain, the block engine, processes of a stack. */
const PARTS =
  /^(test\/setup\/(ask-service|services|temporal|database)|dev\/(localnet\/index|block-engine\/index|stack\/supervisor)|test\/support\/(platform\/platform|web\/.*browser.*))\.ts$/;

/** Whether a test file starts a part of a stack: a database, a chain, Temporal, or a process of the project. */
export function startsAStack(file: string): boolean {
  const startsProcesses = /\bspawn(Sync)?\(|\bfork\(|execFile/.test(readFileSync(join(ROOT, file), 'utf8'));
  return startsProcesses || [...loadedBy(file)].some((path) => PARTS.test(path));
}

/** Whether a test file asks for the run's Temporal server. */
export function needsTemporal(file: string): boolean {
  return [...loadedBy(file)].some(
    (path) => path === 'test/setup/temporal.ts' || path.startsWith('dev/stack/temporal/'),
  );
}
