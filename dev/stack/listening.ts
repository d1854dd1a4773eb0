import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { groupMembers, isSystemError } from './process-table.ts';

const [LOCAL_ADDRESS, STATE, INODE] = [1, 3, 9];
const LISTEN = '0A';

/** Listeners on the port, IPv4. */
export function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    const isOurs = columns[LOCAL_ADDRESS]?.endsWith(suffix) === true && columns[STATE] === LISTEN;
    return isOurs ? [columns[INODE] ?? ''] : [];
  });
}

/** Null if we may not read them. */
function socketsOf(pid: number): string[] | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const link = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
    });
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return [];
    if (isSystemError(error, 'EACCES', 'EPERM')) return null;
    throw error;
  }
}

/** A process of `leader`'s group listens on the loopback port. True where the system does not tell. */
export function groupListensOn(leader: number, port: number): boolean {
  if (process.platform !== 'linux') return true;
  const inodes = listeningInodes(readFileSync('/proc/net/tcp', 'utf8'), port);
  if (inodes.length === 0) return true;
  return groupMembers(leader).some((pid) => socketsOf(pid)?.some((inode) => inodes.includes(inode)) ?? true);
}
