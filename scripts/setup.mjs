// Before any npm script; some milliseconds where nothing is missing. Plain JavaScript: it runs on the machine's own
// Node (20 or newer).
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

/** Passes signals on, so that nothing is left half done. */
async function run(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  const passOn = (signal) => child.kill(signal);
  process.on('SIGTERM', passOn).on('SIGINT', passOn);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject).on('close', (status, signal) => resolve(status ?? signal));
      if (child.pid !== undefined) holdFor(lockFile, child.pid);
    });
  } finally {
    process.off('SIGTERM', passOn).off('SIGINT', passOn);
  }
}

/** npm replaces node_modules, so it must not run on a Node in there. */
async function withNodeOutside(use) {
  const isInside = (path) => realpathSync(path).startsWith(join(realpathSync(root), 'node_modules') + sep);
  const candidates = [process.execPath, process.env.npm_node_execpath].filter((path) => path && existsSync(path));
  const node = candidates.find((path) => !isInside(path));
  if (node !== undefined) return use(node);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-node-'));
  try {
    copyFileSync(process.execPath, join(folder, 'node'));
    return await use(join(folder, 'node'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const NPM_COMMANDS = { rest: ['install', '--no-save'], everything: ['ci'] };

/** No install script of any package runs. These overrule options of a shell or of ~/.npmrc. */
const WHOLE = [
  '--ignore-scripts',
  '--no-dry-run',
  '--no-global',
  '--location=project',
  '--install-strategy=hoisted',
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

async function installPackages(install) {
  const outcome = await withNodeOutside((node) => {
    const cli = process.env.npm_execpath;
    const [command, ...prefix] = cli ? [node, cli] : ['npm'];
    // Without npm around it, the script looks for `node` itself.
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    // An `everything` begins by removing npm's note, which says as much.
    if (install === 'rest') writeFileSync(join(root, UNFINISHED), '');
    return run(command, [...prefix, ...NPM_COMMANDS[install], ...WHOLE], { cwd: root, env });
  });
  // Where npm gives up it restores; where it is killed it does not.
  if (typeof outcome === 'number') rmSync(join(root, UNFINISHED), { force: true });
  if (outcome === 0) return;
  const advice =
    install === 'rest' ? 'what was there is kept; "npm ci" installs everything again' : 'see the lines above';
  throw new Error(`"npm ${NPM_COMMANDS[install].join(' ')}" ended with ${outcome}; ${advice}`);
}

/** Only makes links; may be repeated. */
async function linkPostgres() {
  const script = join('scripts', 'hydrate-symlinks.js');
  const outcome = await run(join(root, NODE), [script], { cwd: postgresFolder(root) });
  if (outcome !== 0) throw new Error(`${join(postgresFolder(root), script)} ended with ${outcome}`);
}

/** Where no package has Node for this platform, scripts run on the present one. */
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
  const { install } = findMissing(root);
  if (install !== 'nothing') {
    console.log(`setup: installing ${install === 'rest' ? 'what is missing' : 'all packages and Node 24'} …`);
    await installPackages(install);
  }
  const { node, postgresLinks } = findMissing(root);
  if (node) linkNode();
  if (postgresLinks) await linkPostgres();
  const missing = findMissing(root);
  if (!isComplete(missing)) throw new Error(`something is still missing: ${JSON.stringify(missing)}`);
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
