// Processes below a process, by the system's own table.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Fields 3, 4, 5 and 22 of `/proc/PID/stat`; the command name before them may contain spaces and brackets. */
function linuxEntry(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      pid: Number(pid),
      state: fields[0],
      parent: Number(fields[1]),
      group: Number(fields[2]),
      since: fields[19],
    };
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}

function psEntry(line) {
  const [pid, state, parent, group, ...since] = line.trim().split(/\s+/);
  return { pid: Number(pid), state, parent: Number(parent), group: Number(group), since: since.join(' ') };
}

/** Of each live process: `since` tells a later process with the same number apart. */
function processes() {
  const all =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map(linuxEntry)
      : execFileSync('ps', ['-A', '-o', 'pid=,stat=,ppid=,pgid=,lstart='], { encoding: 'utf8' })
          .split('\n')
          .map(psEntry);
  return all.filter((entry) => entry && !/^[ZX]/.test(entry.state));
}

export function descendantsOf(root) {
  const all = processes();
  const found = [];
  for (let parents = [root]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map(({ pid }) => pid);
  }
  return found;
}

/** Those that were started with a mark in their environment, as far as the system shows it. Without this process. */
export function markedBy(mark) {
  if (process.platform !== 'linux') return [];
  return processes().filter(({ pid }) => pid !== process.pid && textOf(`/proc/${pid}/environ`).includes(mark));
}

/** Empty where the system does not show it. */
export function commandOf(pid) {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function isAlive({ pid, since }) {
  const entry = process.platform === 'linux' ? linuxEntry(pid) : processes().find((one) => one.pid === pid);
  return entry !== undefined && entry.since === since && !/^[ZX]/.test(entry.state);
}

/** False for a process in another group: such parts are ended by what started them, in order. */
export function isOfOwnGroup({ group }) {
  return group === ownGroup;
}

export function signalAll(entries, signal) {
  for (const { pid } of entries) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

const ownGroup = processes().find(({ pid }) => pid === process.pid)?.group;
