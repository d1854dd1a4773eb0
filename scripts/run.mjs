// Every npm script runs by `exec node scripts/run.mjs [--keep-env] [COMMAND …]`. It installs what is missing, then runs the command in
// an environment that cannot break its local parts, and ends with its status. Nothing that the command started outlives it by
// more than 25 s: a signal, and the end of the program that started this one, end all of it. Plain JavaScript: it runs on the
// machine's own Node (20 or newer).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commandOf, descendantsOf, isAlive, isOfOwnGroup, markedBy, signalAll } from './descendants.mjs';

/** The command has this time to end its parts in order; then it is killed, and their watchers do it. */
const COMMAND_MS = 12_000;
/** Then everything that is left is killed. */
const ALL_MS = 22_000;
/** A call of getppid: what `kill -9` of npm leaves to be seen. */
const PARENT_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 200;

/** Options of Node, and of libpq below, that a shell sets for other programs. */
const DROPPED = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_UNIQUE_ID',
  'NODE_ENV',
  'NODE_DEBUG',
  'NODE_V8_COVERAGE',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_PENDING_DEPRECATION',
  'DEBUG',
];

/** No proxy stands before loopback, and the packages' own programs come first. */
function environment() {
  if (keepsEnv) return process.env;
  // Node hands some of its own variables on, whatever the environment of a child says.
  for (const name of Object.keys(process.env))
    if (DROPPED.includes(name) || /^PG[A-Z]+$/.test(name)) delete process.env[name];
  const { no_proxy: before, PATH = '', ...env } = process.env;
  const direct = `127.0.0.1,localhost,::1${before ? `,${before}` : ''}`;
  const programs = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', '.bin');
  const path = PATH.split(delimiter).includes(programs) ? PATH : `${programs}${delimiter}${PATH}`;
  return { ...env, PATH: path, no_proxy: direct, NO_PROXY: direct, no_grpc_proxy: direct };
}

/** The first signal, once there was one. */
let stopping;
let command;
const parent = process.ppid;
/** npm was killed before this line; in a container it can be process 1 itself. */
const isOrphan = parent === 1 && process.env.npm_lifecycle_event !== undefined && !commandOf(1).includes('npm');
/** For commands that work on what the shell's variables name. */
const keepsEnv = process.argv[2] === '--keep-env';

/** In the environment of all that is started: finds those whose starter is gone. */
const mark = `${process.pid}-${Date.now()}`;

/** Every process that was ever found below this one, by its number. */
const seen = new Map();

/** Those of them that live. */
function look() {
  for (const one of [...descendantsOf(process.pid), ...markedBy(mark)]) seen.set(one.pid, one);
  return [...seen.values()].filter(isAlive);
}

function stop(signal) {
  // Before the command ends, and its parts have no parent any more.
  if (stopping === undefined) look();
  // A terminal that is gone sends SIGHUP, which programs know least.
  command?.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  stopping ??= endAll().then(() => 128 + constants.signals[signal]);
}

async function endAll() {
  const since = Date.now();
  for (let left = look(); left.length > 0; left = look()) {
    const has = Date.now() - since;
    if (command === undefined || isOver(command)) signalAll(left.filter(isOfOwnGroup), 'SIGTERM');
    else if (has > COMMAND_MS) command.kill('SIGKILL');
    if (has > ALL_MS) signalAll(left, 'SIGKILL');
    await sleep(LOOK_EVERY_MS);
  }
}

function isOver({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
setInterval(() => {
  if ((process.ppid !== parent || isOrphan) && stopping === undefined) process.kill(process.pid, 'SIGTERM');
}, PARENT_EVERY_MS).unref();

/** Resolves with the exit status of the command. */
async function run([name, ...args]) {
  command = spawn(name, args, {
    stdio: 'inherit',
    env: { ...environment(), SLIPWAY_RUN: `${process.env.SLIPWAY_RUN ?? ''} ${mark}` },
  });
  try {
    const [code, signal] = await once(command, 'exit');
    return code ?? 128 + constants.signals[signal];
  } catch (error) {
    console.error(`${name} cannot be run: ${error.message}`);
    return 127;
  }
}

await import('./setup.mjs');
const words = process.argv.slice(keepsEnv ? 3 : 2);
const isReady = !process.exitCode && stopping === undefined;
const status = isReady && words.length > 0 ? await run(words) : process.exitCode;
const ended = await stopping;
// A command that crashed may have left something.
await endAll();
process.exit(status ?? ended ?? 0);
