import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorTextWithCauses } from '../../../domain/error-text.ts';

const run = promisify(execFile);

/** PostgreSQL refuses user id 0; this is the unprivileged user nearly everywhere. */
const UNPRIVILEGED_ID = 65_534;
/** Any but 0 in a user namespace; root outside. */
const MAPPED_ID = 1_000;

/** `command ...prefix program ...arguments`. */
export type Launcher = {
  readonly name: 'as-is' | 'user-namespace' | 'other-user' | 'other-user-with-read-capability';
  readonly prefix: readonly string[];
  /** Of the data directory, if not its creator. */
  readonly owner?: { readonly uid: number; readonly gid: number };
};

const otherUser = ['setpriv', `--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups'];
const owner = { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID };

/**
 * Ways to start as another user when run as root, best first.
 *
 * - A user namespace: root outside, so a directory of mode 0700 can be entered; another id inside, without
 * capabilities. Containers often forbid it.
 * - Another user id: every parent directory must be open to others.
 * - Another user id with only the capability to pass closed directories.
 */
export const ROOT_LAUNCHERS: readonly Launcher[] = [
  { name: 'user-namespace', prefix: ['unshare', '--user', `--map-user=${MAPPED_ID}`, '--'] },
  { name: 'other-user', prefix: otherUser, owner },
  {
    name: 'other-user-with-read-capability',
    prefix: [
      ...otherUser,
      // Else access(2), by which initdb finds `postgres`, ignores capabilities.
      '--securebits=+no_setuid_fixup',
      '--inh-caps=+dac_read_search,+dac_override',
      '--ambient-caps=+dac_read_search,+dac_override',
    ],
    owner,
  },
];

async function tryRun({ prefix }: Launcher, ...words: string[]): Promise<void> {
  const [command = '', ...args] = [...prefix, ...words];
  await run(command, args, { timeout: 10_000 });
}

async function failure(launcher: Launcher, program: string, directory: string): Promise<string | undefined> {
  try {
    await tryRun(launcher, program, '--version');
    // The dot: the directory itself must be enterable.
    await tryRun(launcher, 'ls', '-d', join(directory, '/') + '.');
    return undefined;
  } catch (error) {
    return `${launcher.name}: ${errorTextWithCauses(error).trim().replaceAll('\n', ' ')}`;
  }
}

/**
 * Tries each way on `program`, the `postgres` binary.
 *
 * @param directory exists
 * @throws if the user is root and no way works
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
