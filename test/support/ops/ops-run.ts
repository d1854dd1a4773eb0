import type { ExchangeAdapter } from '../../../chain/exchange/exchange-adapter.ts';
import { raydiumAdapter } from '../../../chain/exchange/raydium/raydium-adapter.ts';
import { runOps } from '../../../ops/run.ts';

/** A run of the operator's command line as `npm run ops -- …` would make it, with what it printed; an array where words have spaces. */
export async function ops(
  env: Record<string, string>,
  line: string | readonly string[],
  stackFile = '/nonexistent/stack.json',
  exchange: (lookupTable: string) => ExchangeAdapter = raydiumAdapter,
) {
  let printed = '';
  const write = (text: string) => void (printed += text);
  const io = { env, stackFile, exchange, user: () => 'os-user', write };
  const result = await runOps(typeof line === 'string' ? line.split(' ') : line, io);
  return { ...result, printed };
}

/** What commands read of the file of a running local stack, all of it unreachable. */
export const STACK = {
  databaseUrl: 'postgres://u:p@127.0.0.1:1/x',
  rpcUrl: 'http://127.0.0.1:1',
  treasury: '1'.repeat(32),
  temporalAddress: '127.0.0.1:1',
  temporalNamespace: 'default',
  temporalUiUrl: 'http://127.0.0.1:8233',
};
