import { runOps } from '../../ops/run.ts';

/** A run of the operator's command line as `npm run ops -- …` would make it, with what it printed. */
export async function ops(env: Record<string, string>, line: string, stackFile = '/nonexistent/stack.json') {
  let printed = '';
  const io = { env, stackFile, user: () => 'os-user', write: (text: string) => void (printed += text) };
  const result = await runOps(line.split(' '), io);
  return { ...result, printed };
}
