import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorTextWithCauses } from '../../../domain/error-text.ts';

const run = promisify(execFile);

/** PostgreSQL refuses user id 0. These are "nobody" and "nogroup" nearly everywhere; no account has to exist for a number. */
const UNPRIVILEGED_ID = 65_534;
/** Inside a user namespace any number but 0 will do; it stands for root outside. */
const MAPPED_ID = 1_000;

/** How to run a PostgreSQL program: `command ...prefix program ...arguments`. */
export type Launcher = {
  readonly name: 'as-is' | 'user-namespace' | 'other-user' | 'other-user-with-read-capability';
  /** Comes before the program and its arguments. */
  readonly prefix: readonly string[];
  /** Owner the data directory must have, where it is not the one who creates it. */
  readonly owner?: { readonly uid: number; readonly gid: number };
};

const otherUser = ['setpriv', `--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups'];
const owner = { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID };

/**
 * Ways to run as root, best first.
 * - A user namespace: the process stays root outside, so it enters a directory of mode 0700, its files belong to root and no
 *   account is involved, but it sees another number and holds no capability. Containers often forbid it.
 * - Another user id: needs every directory on the way to be open to others.
 * - Another user id that keeps only the capability to pass closed directories, as the root of most containers still has it.
 */
export const ROOT_LAUNCHERS: readonly Launcher[] = [
  { name: 'user-namespace', prefix: ['unshare', '--user', `--map-user=${MAPPED_ID}`, '--'] },
  { name: 'other-user', prefix: otherUser, owner },
  {
    name: 'other-user-with-read-capability',
    prefix: [
      ...otherUser,
      // Without it access(2), by which initdb looks for its neighbour, ignores capabilities of any user but root.
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_read_search,+dac_override',
      '--ambient-caps=+dac_read_search,+dac_override',
    ],
    owner,
  },
];

/** Runs `words` behind the launcher's prefix. */
async function tryRun({ prefix }: Launcher, ...words: string[]): Promise<void> {
  const [command = '', ...args] = [...prefix, ...words];
  await run(command, args, { timeout: 10_000 });
}

async function failure(launcher: Launcher, program: string, directory: string): Promise<string | undefined> {
  try {
    await tryRun(launcher, program, '--version');
    // The dot makes it fail unless the directory itself can be entered.
    await tryRun(launcher, 'ls', '-d', join(directory, '/') + '.');
    return undefined;
  } catch (error) {
    return `${launcher.name}: ${errorTextWithCauses(error).trim().replaceAll('\n', ' ')}`;
  }
}

/**
 * Finds a way to run `program` (the `postgres` binary) that PostgreSQL accepts, by trying each.
 * @param directory exists; PostgreSQL's own directory will lie in it.
 * @throws when we are root and no way works; the message lists what each answered.
 */
export async function findLauncher(
  program: string,
  directory: string,
  userId: number = process.getuid?.() ?? -1,
  launchers: readonly Launcher[] = ROOT_LAUNCHERS,
): Promise<Launcher> {
  if (userId !== 0) return { name: 'as-is', prefix: [] };
  const failures: string[] = [];
  for (const launcher of launchers) {
    const problem = await failure(launcher, program, directory);
    if (problem === undefined) return launcher;
    failures.push(problem);
  }
  throw new Error(
    `PostgreSQL does not run as root, and no other way works here:\n  ${failures.join('\n  ')}\nRun as another user, or set DATABASE_URL.`,
  );
}
