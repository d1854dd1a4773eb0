import { join } from 'node:path';
import type { Variables } from '../config/environment.ts';
import { shownLines } from '../domain/terminal-text.ts';
import type { OpsIo } from './io.ts';
import { osUser } from './os-user.ts';
import { runOps } from './run.ts';

/** The only writer of `ops` (lint): an endpoint's error may say what a terminal would obey. */
export async function runOpsProcess(env: Variables, exchange: OpsIo['exchange']): Promise<void> {
  process.stdout.on('error', endWithReader);
  const { status, message } = await runOps(process.argv.slice(2), {
    env,
    stackFile: join(import.meta.dirname, '../.data/stack.json'),
    user: () => osUser(),
    exchange,
    write: (text) => {
      process.stdout.write(shownLines(text));
    },
    progress: (text) => {
      say(text);
    },
  });
  if (message !== undefined) say(message);
  process.exitCode = status;
}

/** A reader such as `head` has what it wants and goes. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

function say(text: string): void {
  process.stderr.write(`ops: ${shownLines(text)}\n`);
}
