import { join } from 'node:path';
import type { Variables } from '../config/environment.ts';
import type { OpsIo } from './io.ts';
import { osUser } from './os-user.ts';
import { runOps } from './run.ts';

export async function runOpsProcess(env: Variables, exchange: OpsIo['exchange']): Promise<void> {
  const { status, message } = await runOps(process.argv.slice(2), {
    env,
    stackFile: join(import.meta.dirname, '../.data/stack.json'),
    user: () => osUser(),
    exchange,
    write: (text) => {
      process.stdout.write(text);
    },
    progress: (text) => {
      process.stderr.write(`ops: ${text}\n`);
    },
  });
  if (message !== undefined) process.stderr.write(`ops: ${message}\n`);
  process.exitCode = status;
}
