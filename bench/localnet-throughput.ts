import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startLocalnet } from '../dev/localnet/index.ts';

/** How long the load runs, in ms. */
const LOAD_MS = 10_000;
const CLIENT = new URL('localnet-throughput-client.ts', import.meta.url);

/** What the load client reports. */
interface ClientReport {
  readonly sent: number;
  readonly refused: number;
  readonly ms: number;
}

function isReport(message: unknown): message is ClientReport {
  return typeof message === 'object' && message !== null && 'sent' in message && 'ms' in message;
}

async function loadFrom(rpcUrl: string): Promise<ClientReport> {
  const client = fork(CLIENT, [rpcUrl, String(LOAD_MS)], { stdio: 'inherit' });
  const [message] = (await once(client, 'message')) as [unknown];
  if (!isReport(message)) throw new Error(`the load client reported ${JSON.stringify(message)}`);
  if (client.exitCode === null) await once(client, 'exit');
  return message;
}

/** Slots that landed transactions, and how many, read back from the chain and not from what was sent. */
async function landed(rpcUrl: string, from: number): Promise<number> {
  const call = async (method: string, params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(rpcUrl, { method: 'POST', body });
    const answer = (await response.json()) as { result?: unknown };
    return answer.result;
  };
  const count = await call('getTransactionCount', [{ commitment: 'confirmed' }]);
  return Number(count) - from;
}

const chain = await startLocalnet();
try {
  const report = await loadFrom(chain.rpcUrl);
  chain.control.advanceSlots(2);
  // Airdrops to the client's payers are not counted.
  const count = (await landed(chain.rpcUrl, 0)) - 64;
  const perSecond = Math.round((count / report.ms) * 1000);
  console.log(
    `localnet: ${perSecond} transactions/s landed (${count} of ${report.sent} sent in ${report.ms} ms, ${report.refused} refused)`,
  );
} finally {
  await chain.close();
}
