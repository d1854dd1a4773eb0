import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  base64,
  batch,
  SOL,
  someone,
  startChain,
  type TestChain,
  transfer,
  type Value,
} from '../../support/dev/localnet-chain.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.node.close());

test('requests in a batch are answered together', async () => {
  const ask = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
  expect(await batch(chain, [ask(1, 'getHealth'), ask(2, 'noSuchMethod')])).toEqual([
    { jsonrpc: '2.0', result: 'ok', id: 1 },
    { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 2 },
  ]);
});

test('a name from the object prototype is not a method', async () => {
  expect((await chain.failure('constructor')).code).toBe(-32601);
});

test('a body that is not JSON is answered with a parse error', async () => {
  const response = await fetch(chain.node.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  });
  expect(await response.json()).toMatchObject({ error: { code: -32700 }, id: null });
});

test('a malformed address is refused by what is wrong with it', async () => {
  expect(await chain.failure('getBalance', ['0OIl'])).toEqual({ code: -32602, message: 'Invalid param: Invalid' });
  expect(await chain.failure('getBalance', ['abc'])).toEqual({ code: -32602, message: 'Invalid param: WrongSize' });
});

test('integers above 2^53 are written with all their digits', async () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getAccountInfo',
    params: [chain.node.faucet, { encoding: 'base64' }],
  });
  const text = await (
    await fetch(chain.node.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  ).text();
  expect(text).toContain('"lamports":500000000000000000,');
  expect(text).toContain('"rentEpoch":18446744073709551615,');
});

test('programs and sysvars can be read', async () => {
  const [program, clock] = await Promise.all(
    ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'SysvarC1ock11111111111111111111111111111111'].map((address) =>
      chain.call<Value<{ executable: boolean } | null>>('getAccountInfo', [address, { encoding: 'base64' }]),
    ),
  );
  expect([program?.value?.executable, clock?.value?.executable]).toEqual([true, false]);
});

test('a simulation returns accounts, inner instructions and compute units, and can replace the blockhash', async () => {
  const to = someone();
  const transaction = await chain.sign([transfer(chain.wallet, to, SOL)], { blockhash: someone().toBase58() });
  const config = { encoding: 'base64', commitment: 'processed' };
  const simulate = async (more: Record<string, unknown>) =>
    (
      await chain.call<Value<Record<string, unknown>>>('simulateTransaction', [
        base64(transaction),
        { ...config, ...more },
      ])
    ).value;
  expect((await simulate({})).err).toBe('BlockhashNotFound');
  const accounts = { encoding: 'base64', addresses: [to.toBase58()] };
  expect(await simulate({ replaceRecentBlockhash: true, innerInstructions: true, accounts })).toMatchObject({
    err: null,
    innerInstructions: [],
    accounts: [{ lamports: Number(SOL) }],
    unitsConsumed: 150,
    replacementBlockhash: { blockhash: (await chain.latestBlockhash('processed')).blockhash },
  });
  expect(await chain.balance(to)).toBe(0);
});

test('a simulation checks signatures only when it is told to', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  transaction.signatures[0] = new Uint8Array(64);
  const config = { encoding: 'base64', commitment: 'confirmed' };
  const wire = base64(transaction);
  expect(await chain.call('simulateTransaction', [wire, config])).toMatchObject({ value: { err: null } });
  expect((await chain.failure('simulateTransaction', [wire, { ...config, sigVerify: true }])).code).toBe(-32003);
});
