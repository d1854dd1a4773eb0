import { join } from 'node:path';
import { osUser } from './os-user.ts';
import { runOps } from './run.ts';

const { status, message } = await runOps(process.argv.slice(2), {
  env: process.env,
  stackFile: join(import.meta.dirname, '../.data/stack.json'),
  user: () => osUser(),
  write: (text) => {
    process.stdout.write(text);
  },
  progress: (text) => {
    process.stderr.write(`ops: ${text}\n`);
  },
});
if (message !== undefined) process.stderr.write(`ops: ${message}\n`);
process.exitCode = status;
