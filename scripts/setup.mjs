// Installs what a checkout lacks, and nothing else, before any npm script runs; where nothing is missing it takes some milliseconds.
// Plain JavaScript on purpose: it runs on the machine's own Node (20 or newer), before Node 24 from node_modules is there.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdFor, releaseLock, takeLock } from './lock.mjs';
import { findMissing, isComplete, NODE, postgresFolder, UNFINISHED } from './missing.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lockFile = join(root, '.data', 'setup.lock');
const ownMajor = Number(process.versions.node.split('.')[0]);

/** Runs a command to its end, passing on what would end this process, so that nothing is left behind half done. */
async function run(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  const passOn = (signal) => child.kill(signal);
  process.on('SIGTERM', passOn).on('SIGINT', passOn);
  try {
    const outcome = await new Promise((resolve, reject) => {
      child.on('error', reject).on('close', (status, signal) => resolve(status ?? signal));
      if (child.pid !== undefined) holdFor(lockFile, child.pid);
    });
    if (outcome !== 0) throw new Error(`"${[command, ...args].join(' ')}" ended with ${outcome}; see the lines above`);
  } finally {
    process.off('SIGTERM', passOn).off('SIGINT', passOn);
  }
}

/** npm replaces what lies in node_modules, so it must not run on a Node of there: npm's own Node, or else a copy of this one. */
async function withNodeOutside(use) {
  const isInside = (path) => realpathSync(path).startsWith(join(realpathSync(root), 'node_modules') + sep);
  const node = [process.execPath, process.env.npm_node_execpath].find((path) => path && !isInside(path));
  if (node !== undefined) return use(node);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-node-'));
  try {
    copyFileSync(process.execPath, join(folder, 'node'));
    return await use(join(folder, 'node'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is whole is kept and completed; anything else is installed from nothing. No install script of any package runs. */
async function installPackages(trusted) {
  const how = trusted ? ['install', '--no-save'] : ['ci'];
  const quietly = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await withNodeOutside(async (node) => {
    const cli = process.env.npm_execpath;
    const [command, ...prefix] = cli ? [node, cli] : ['npm'];
    // Without npm around it, the command is a script that looks for `node` itself.
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    if (trusted) writeFileSync(join(root, UNFINISHED), '');
    await run(command, [...prefix, ...how, ...quietly], { cwd: root, env });
    rmSync(join(root, UNFINISHED), { force: true });
  });
}

/** The package's own install script, without npm: it only makes links, and may be repeated. */
async function linkPostgres() {
  await run(join(root, NODE), [join('scripts', 'hydrate-symlinks.js')], { cwd: postgresFolder(root) });
}

/** npm makes this link, unless it was told not to; where no package has Node for this platform, scripts run on the one that is there. */
function linkNode() {
  const packaged = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (!existsSync(packaged) && ownMajor < 24) {
    const platform = `${process.platform}-${process.arch}`;
    throw new Error(
      `no package has Node 24 for ${platform}, and this is Node ${process.versions.node}: install Node 24`,
    );
  }
  const link = join(root, NODE);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(existsSync(packaged) ? packaged : process.execPath, link);
}

async function complete() {
  let missing = findMissing(root);
  if (!missing.trusted || missing.packages.length > 0) {
    console.log(`setup: installing ${missing.packages.length} packages, Node 24 among them where it is missing …`);
    await installPackages(missing.trusted);
    missing = findMissing(root);
    if (missing.packages.length > 0) throw new Error(`npm left out ${missing.packages.join(', ')}; try again`);
  }
  if (missing.node) linkNode();
  if (missing.postgresLinks) await linkPostgres();
  missing = findMissing(root);
  if (!isComplete(missing)) throw new Error(`still missing: ${JSON.stringify(missing)}`);
}

async function setUp() {
  if (ownMajor < 20) throw new Error(`Node ${process.versions.node} is too old; Node 20 or newer is needed`);
  if (isComplete(findMissing(root))) return;
  const started = Date.now();
  const tellOf = (pid) => console.log(`setup: process ${pid} is at it (${relative(root, lockFile)}); waiting …`);
  await takeLock(lockFile, tellOf);
  try {
    await complete();
  } finally {
    releaseLock(lockFile);
  }
  console.log(`setup: done in ${Math.round((Date.now() - started) / 1000)} s.`);
}

try {
  await setUp();
} catch (error) {
  console.error(`setup: ${error.message}`);
  process.exitCode = 1;
}
