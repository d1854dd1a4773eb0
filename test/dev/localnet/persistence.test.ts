import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { base64, someone, startChain, transfer } from '../../support/dev/localnet-chain.ts';

const MAIN = join(import.meta.dirname, '../../../dev/localnet/main.ts');

interface Running {
  readonly process: ChildProcess;
  readonly rpcUrl: string;
  readonly genesisHash: string;
}

let folder: string;
const running: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-localnet-'));
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, '--data-dir', dataDir, '--slot-ms', '20'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { rpcUrl, genesisHash } = JSON.parse(line) as { rpcUrl: string; genesisHash: string };
  return { process: child, rpcUrl, genesisHash };
}

async function call<T>(node: Running, method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = (await (
    await fetch(node.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  ).json()) as { result: T };
  return answer.result;
}

async function kill(node: Running, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(node.process, 'exit') as Promise<[number | null]>;
  node.process.kill(signal);
  return (await exit)[0];
}

const ADDRESS = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const confirmed = { commitment: 'confirmed' };

test('after kill -9 the chain is back with every confirmed transaction, its slots and its genesis hash', async () => {
  const first = await start(folder);
  const signatures: string[] = [];
  for (let i = 0; i < 20; i++) signatures.push(await call<string>(first, 'requestAirdrop', ADDRESS, 1_000_000_000 + i));
  const last = signatures.at(-1);
  for (;;) {
    const { value } = await call<{ value: ({ confirmationStatus: string } | null)[] }>(first, 'getSignatureStatuses', [
      last,
    ]);
    if (value[0] && value[0].confirmationStatus !== 'processed') break;
  }
  const { value: balance } = await call<{ value: number }>(first, 'getBalance', ADDRESS, confirmed);
  const slot = await call<number>(first, 'getSlot', confirmed);
  await kill(first, 'SIGKILL');

  const second = await start(folder);
  expect(second.genesisHash).toBe(first.genesisHash);
  expect(await call<number>(second, 'getSlot', confirmed)).toBeGreaterThanOrEqual(slot);
  expect((await call<{ value: number }>(second, 'getBalance', ADDRESS, confirmed)).value).toBe(balance);
  const listed = await call<{ signature: string }[]>(second, 'getSignaturesForAddress', ADDRESS, confirmed);
  expect(listed.map(({ signature }) => signature)).toEqual(signatures.toReversed());
});

test('a killed node is back, whatever it had been through', async () => {
  const first = await start(folder);
  for (let i = 0; i < 50; i++) await call(first, 'requestAirdrop', ADDRESS, 1_000_000_000 + i);
  await call(first, 'localnet_advanceSlots', { count: 2_000 });
  await kill(first, 'SIGKILL');
  const second = await start(folder);
  expect(await call<number>(second, 'getSlot', { commitment: 'processed' })).toBeGreaterThanOrEqual(2_000);
});

test('a blockhash handed out before a restart is valid after it, and a landed message still refused', async () => {
  const first = await startChain({ dataDir: folder });
  const to = someone();
  const [landed, open] = [
    await first.sign([transfer(first.wallet, to, 1_000_000_000n)]),
    await first.sign([transfer(first.wallet, to, 2_000_000_000n)]),
  ];
  await first.land(landed);
  first.advance(1);
  await first.node.close();
  const second = await startChain({ dataDir: folder });
  const preflight = { encoding: 'base64', preflightCommitment: 'processed' };
  expect((await second.failure('sendTransaction', [base64(landed), preflight])).data?.err).toBe('AlreadyProcessed');
  await second.call('sendTransaction', [base64(open), preflight]);
  expect(await second.balance(to)).toBe(3e9);
  await second.node.close();
});

test('a slot can be dropped after a restart', async () => {
  const first = await startChain({ dataDir: folder });
  const to = someone();
  await first.run([transfer(first.wallet, to, 1_000_000_000n)]);
  const before = await first.balance(first.wallet.publicKey);
  await first.node.close();
  const second = await startChain({ dataDir: folder });
  second.node.control.skipSlot();
  expect(await second.balance(to)).toBe(0);
  expect(await second.balance(first.wallet.publicKey)).toBe(before + 1_000_005_000);
  await second.node.close();
});

test('a fresh folder is another chain', async () => {
  const [one, two] = [
    await startChain({ dataDir: join(folder, 'a') }),
    await startChain({ dataDir: join(folder, 'b') }),
  ];
  expect(one.node.genesisHash).not.toBe(two.node.genesisHash);
  await Promise.all([one.node.close(), two.node.close()]);
});

test('two nodes cannot share a folder', async () => {
  const one = await startChain({ dataDir: folder });
  await expect(startChain({ dataDir: folder })).rejects.toThrow(/locked/);
  await one.node.close();
});

test('the process ends with status 0 when it is told to', async () => {
  expect(await kill(await start(folder), 'SIGTERM')).toBe(0);
  expect(await kill(await start(folder), 'SIGINT')).toBe(0);
});
