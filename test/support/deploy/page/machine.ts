import { type ChildProcess, type ChildProcessByStdio, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eventually } from '../../platform/eventually.ts';
import { onPath } from '../../on-path.ts';

const PROJECT = join(import.meta.dirname, '../../../..');

/** What a machine of one's own is made of here. */
export const LACKING = ['unshare', 'nsenter', 'setpriv', 'ip', 'haproxy', 'openssl'].filter(
  (name) => onPath(name) === undefined,
);

export interface Ran {
  readonly status: number | null;
  /** Both outputs. */
  readonly printed: string;
}

/** A machine of its own for docs/deploy.md: ports, /etc and /run are its own, and it has `deploy/` without the checkout. */
export interface Machine {
  /** Holds the machine's files. */
  readonly directory: string;
  /** Where the page's commands run. */
  readonly folder: string;
  /** Runs a line of the shell in {@link folder}, with the aliases of lines before it. */
  run(line: string, env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Starts a line that stays; its output goes to `{name}.log`. */
  start(name: string, line: string, env?: Readonly<Record<string, string>>): void;
  /** What a started line has printed. */
  printedBy(name: string): string;
  /** Waits until a line ends with 0. */
  until(line: string, what: string, env?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

/** Must be root. `hosts`: lines of /etc/hosts. */
export async function startMachine(hosts: readonly string[]): Promise<Machine> {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-machine-'));
  const folder = join(directory, 'work');
  for (const name of ['work', 'images', 'bin', 'node/bin', 'logs'])
    mkdirSync(join(directory, name), { recursive: true });
  cpSync('/etc', join(directory, 'etc'), { recursive: true, verbatimSymlinks: true });
  const file = join(directory, 'etc/hosts');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n${hosts.join('\n')}\n`);
  for (const path of ['deploy', 'Dockerfile', 'package.json', 'package-lock.json', 'temporal-docker-compose.yml'])
    cpSync(join(PROJECT, path), join(folder, path), { recursive: true, filter: (from) => !/\.env$/.test(from) });
  cpSync(join(import.meta.dirname, 'docker.sh'), join(directory, 'bin/docker'));
  chmodSync(join(directory, 'bin/docker'), 0o755);
  // PostgreSQL may run as another user.
  chmodSync(directory, 0o755);
  cpSync(process.execPath, join(directory, 'node/bin/node'));
  const holder = await holdNamespaces(join(directory, 'etc'));
  const aliases: string[] = [];
  const parts: ChildProcess[] = [];
  const namespace = (name: string) => `/proc/${holder.pid}/ns/${name}`;
  const spaces = [`--mount=${namespace('mnt')}`, `--net=${namespace('net')}`, `--pid=${namespace('pid_for_children')}`];
  const inside = [...spaces, `--wd=${folder}`, '/bin/bash', '-c'];
  const words = (line: string) => [...inside, ['shopt -s expand_aliases', ...aliases, line].join('\n')];
  const variables = (env = {}) => ({
    PATH: `${join(directory, 'bin')}:${process.env['PATH'] ?? ''}:/usr/sbin`,
    HOME: folder,
    ...env,
  });
  const log = (name: string) => join(directory, 'logs', `${name}.log`);
  const self: Machine = {
    directory,
    folder,
    async run(line, env) {
      const child = spawn('nsenter', words(line), { env: variables(env), stdio: ['ignore', 'pipe', 'pipe'] });
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      if (line.startsWith('alias ') && child.exitCode === 0) aliases.push(line);
      return { status: child.exitCode, printed: out + err };
    },
    start(name, line, env) {
      const output = openSync(log(name), 'a');
      const stdio = ['ignore', output, output] satisfies StdioOptions;
      parts.push(spawn('nsenter', words(line), { env: variables(env), stdio, detached: true }));
    },
    printedBy: (name) => readFileSync(log(name), 'utf8'),
    async until(line, what, env) {
      let last = '';
      const ask = async () => {
        const { status, printed } = await self.run(line, env);
        last = printed;
        return status === 0 ? true : null;
      };
      await eventually(ask, what, () => last);
    },
    async stop() {
      await Promise.all(parts.toReversed().map(end));
      const gone = once(holder, 'exit');
      holder.stdin.end();
      await gone;
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return self;
}

type Holder = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Resolves with a process that keeps the namespaces, with `/etc` of its own and an empty `/run`. Its only child is the
 * first process of the machine and reads its input: when that ends, as it does with a test that is killed, the kernel
 * ends every process of the machine.
 */
async function holdNamespaces(etc: string): Promise<Holder> {
  const set =
    'ip link set lo up && mount --bind "$1" /etc && mount -t tmpfs tmpfs /run && echo ready && exec cat >/dev/null';
  const spaces = ['--mount', '--net', '--pid', '--fork', '--mount-proc', '--propagation', 'private'];
  const holder = spawn('unshare', [...spaces, '/bin/sh', '-c', set, 'machine', etc], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ready = new Promise((resolve) => holder.stdout.once('data', resolve));
  const ended = once(holder, 'exit').then(() => {
    throw new Error('this machine gives no namespaces of mounts, networks and processes');
  });
  await Promise.race([ready, ended]);
  ended.catch(() => undefined);
  return holder;
}

/** Ends a process and what it started, by its group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  const group = -child.pid;
  process.kill(group, 'SIGTERM');
  const timer = setTimeout(() => process.kill(group, 'SIGKILL'), 15_000);
  await gone;
  clearTimeout(timer);
}
