import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startLocalnet } from '../dev/localnet/index.ts';
import { wantsJson } from './bench-command.ts';

// Transactions a second over HTTP, from another process. Run: node bench/localnet-throughput.ts

const json = wantsJson('localnet-throughput');

/** ms. */
const LOAD_MS = 10_000;
const CLIENT = new URL('localnet-throughput-client.ts', import.meta.url);

interface ClientReport {
  readonly sent: number;
  readonly refused: number;
  readonly ms: number;
  readonly airdrops: number;
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

async function landedCount(rpcUrl: string): Promise<number> {
  const params = [{ commitment: 'confirmed' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransactionCount', params });
  const answer = (await (
    await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  ).json()) as { result?: unknown };
  return Number(answer.result);
}

const chain = await startLocalnet();
try {
  const { sent, refused, ms, airdrops } = await loadFrom(chain.rpcUrl);
  chain.control.advanceSlots(2);
  const count = (await landedCount(chain.rpcUrl)) - airdrops;
  const perSecond = Math.round((count / ms) * 1000);
  console.log(
    json
      ? JSON.stringify({ bench: 'localnet-throughput', perSecond, landed: count, sent, refused, ms })
      : `localnet: ${perSecond} transactions/s landed (${count} of ${sent} sent in ${ms} ms, ${refused} refused)`,
  );
} finally {
  await chain.close();
}
