import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJitoRelay } from '../../../chain/relay/jito-relay.ts';
import { type Market, startMarket } from '../../support/dev/block-engine-market.ts';

const Ready = Compile(
  Type.Object({
    url: Type.String(),
    adminUrl: Type.String(),
    tipAccounts: Type.Array(Type.String()),
    pid: Type.Integer(),
  }),
);

let market: Market;
beforeAll(async () => {
  market = await startMarket();
});
afterAll(() => market.chain.close());

function start(...options: string[]): ChildProcess {
  return spawn(process.execPath, ['dev/block-engine/main.ts', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function exitOf(child: ChildProcess) {
  const [code, output, errors] = await Promise.all([
    once(child, 'exit').then(([status]: unknown[]) => status),
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
  ]);
  return { code, output, errors };
}

it('serves bundles from one line of JSON until SIGTERM, and ends cleanly with a bundle under way', async () => {
  const child = start('--rpc-url', market.chain.rpcUrl);
  if (!child.stdout) throw new Error('no output');
  const line = await once(createInterface(child.stdout), 'line').then(([first]: unknown[]) => String(first));
  const { url, adminUrl, pid } = Ready.Parse(JSON.parse(line));
  expect(pid).toBe(child.pid);
  const relay = createJitoRelay({ url });
  const [tipAccount] = await relay.tipAccounts();
  if (!tipAccount) throw new Error('no tip account');
  const bundle = await market.bundle(tipAccount, 2);
  await relay.sendBundle(bundle.wires);
  await expect.poll(() => market.slotsOf(bundle.signatures)).not.toContain(null);
  await fetch(`${adminUrl}/fault`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"fault":"delay","delayMs":60000}',
  });
  await relay.sendBundle((await market.bundle(tipAccount, 2)).wires);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  await expect(fetch(`${adminUrl}/health`)).rejects.toThrow();
  relay.close();
});

it('--help explains the options', async () => {
  const { code, output } = await exitOf(start('--help'));
  expect(code).toBe(0);
  expect(output).toContain('--rpc-url URL');
});

it.each([
  [[], '--rpc-url is missing'],
  [['--rpc-url', 'http://127.0.0.1:1', '--port', 'x'], '--port x is not a port'],
  [['--rpc-url', 'http://127.0.0.1:1'], 'did not answer getIdentity'],
])('%j ends with status 1 and the reason', async (options, reason) => {
  const { code, errors } = await exitOf(start(...options));
  expect(code).toBe(1);
  expect(errors).toContain(reason);
});
