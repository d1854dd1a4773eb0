import { afterEach, beforeEach, expect, test } from 'vitest';
import { base64, SOL, someone, startChain, type TestChain, transfer } from '../../support/dev/localnet-chain.ts';

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
  chain.advance(40);
});
afterEach(() => chain.node.close());

test('a lagging endpoint answers as of some slots ago, the others do not', async () => {
  chain.node.control.lag(5, 'b');
  const to = someone();
  await chain.run([transfer(chain.wallet, to, SOL)]);
  const [tip, behind] = [await chain.slot('processed'), await chain.slot('processed', 'b')];
  expect(behind).toBe(tip - 5);
  expect([await chain.balance(to), await chain.balance(to, 'processed', 'b')]).toEqual([Number(SOL), 0]);
  chain.advance(5);
  expect(await chain.balance(to, 'processed', 'b')).toBe(Number(SOL));
});

test('a lagging endpoint says how far behind it is when it is asked for its health', async () => {
  chain.node.control.lag(7, 'b');
  expect(await chain.failure('getHealth', [], 'b')).toMatchObject({ code: -32005, data: { numSlotsBehind: 7 } });
  expect(await chain.call('getHealth')).toBe('ok');
});

test('a stale endpoint stays where it is while the chain goes on', async () => {
  chain.node.control.stale('b');
  const frozen = await chain.slot('processed', 'b');
  const to = someone();
  const signature = await chain.run([transfer(chain.wallet, to, SOL)]);
  chain.advance(100);
  expect(await chain.slot('processed', 'b')).toBeLessThanOrEqual(frozen);
  expect(await chain.balance(to, 'finalized', 'b')).toBe(0);
  expect(await chain.statuses([signature], true, 'b')).toEqual([null]);
  chain.node.control.clear('b');
  expect(await chain.balance(to, 'finalized', 'b')).toBe(Number(SOL));
});

test('what a stale endpoint shows is kept as it was, however long the chain goes on', async () => {
  const wallet = chain.fundedWallet(10n * SOL);
  await chain.run([transfer(wallet, someone(), SOL)], { payer: wallet });
  const before = await chain.balance(wallet.publicKey);
  chain.node.control.stale('b');
  await chain.run([transfer(wallet, someone(), SOL)], { payer: wallet });
  chain.advance(200);
  await chain.run([transfer(wallet, someone(), SOL)], { payer: wallet });
  expect(await chain.balance(wallet.publicKey, 'processed', 'b')).toBe(before);
});

test('an endpoint that errors answers no request until the fault is cleared', async () => {
  chain.node.control.stall('error', undefined, 'b');
  expect((await chain.failure('getSlot', [], 'b')).code).toBe(-32005);
  expect(await chain.call('getSlot')).toBeTypeOf('number');
  await chain.call('localnet_clear', [{ endpoint: 'b' }], 'b');
  expect(await chain.call('getSlot', [], 'b')).toBeTypeOf('number');
});

test('an endpoint that hangs answers when the stall is over', async () => {
  chain.node.control.stall('hang', 150);
  const started = performance.now();
  await chain.call('getSlot');
  expect(performance.now() - started).toBeGreaterThan(100);
});

test('an endpoint that lost its history knows neither transactions nor statuses before a slot', async () => {
  const signature = await chain.run([transfer(chain.wallet, someone(), SOL)]);
  const beforeSlot = await chain.slot('processed');
  chain.node.control.loseHistory(beforeSlot, 'b');
  expect(await chain.call('getFirstAvailableBlock', [], 'b')).toBe(beforeSlot);
  expect(await chain.statuses([signature], true, 'b')).toEqual([null]);
  const address = chain.wallet.publicKey.toBase58();
  expect(await chain.call('getSignaturesForAddress', [address, { commitment: 'confirmed' }], 'b')).toEqual([]);
  expect((await chain.failure('getBlock', [beforeSlot - 1, {}], 'b')).code).toBe(-32001);
  expect((await chain.statuses([signature]))[0]?.err).toBeNull();
});

test('an endpoint that drops transactions answers with a signature that never lands', async () => {
  chain.node.control.dropTransactions(1);
  const to = someone();
  const wire = base64(await chain.sign([transfer(chain.wallet, to, SOL)]));
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  const signature = await chain.call<string>('sendTransaction', [wire, options]);
  chain.advance(2);
  expect(await chain.statuses([signature], true)).toEqual([null]);
  await chain.call('sendTransaction', [wire, options]);
  expect(await chain.balance(to)).toBe(Number(SOL));
});

test('controls work over the RPC port', async () => {
  const slot = await chain.slot('processed');
  await chain.call('localnet_advanceSlots', [{ count: 3 }]);
  expect(await chain.slot('processed')).toBe(slot + 3);
  const wallet = someone();
  await chain.call('localnet_fund', [{ wallet: wallet.toBase58(), lamports: '2000000000' }]);
  expect(await chain.balance(wallet)).toBe(2e9);
  const result = await chain.call<{ dropped: string[] }>('localnet_skipSlot', [{ reland: [] }]);
  expect(result.dropped).toHaveLength(1);
  expect(await chain.balance(wallet)).toBe(0);
});

test('an unknown place to stop at does not bring lost history back', async () => {
  await chain.run([transfer(chain.wallet, someone(), SOL)]);
  chain.node.control.loseHistory(await chain.slot('processed'), 'b');
  const options = { commitment: 'confirmed', until: '1'.repeat(64) };
  const params = [chain.wallet.publicKey.toBase58(), options];
  expect(await chain.call('getSignaturesForAddress', params, 'b')).toEqual([]);
  expect(await chain.call('getSignaturesForAddress', params)).toHaveLength(1);
});
