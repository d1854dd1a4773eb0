import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import {
  createObserving,
  observe,
  type Observing,
  oldestOpen,
  type Readable,
} from '../../activities/market/line/observed/observing.ts';
import { WatchList } from '../../activities/market/line/observed/watch-list.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import type { StreamEvent } from '../../chain/stream/chain-stream.ts';

const [one, other, vault] = [0, 1, 2].map(() => Keypair.generate().publicKey.toBase58()) as [string, string, string];

const NO_RPC = createRpc({ endpoints: ['http://127.0.0.1:1'] });

function observingAt(clock: { now: number }): Observing & { receive: (event: Readable) => void } {
  const list = new WatchList();
  list.add({ pool: one, mint: 'mint', baseVault: vault, isReward: true });
  list.add({ pool: other, mint: 'other mint', baseVault: 'other vault', isReward: false });
  const observing = createObserving(list, NO_RPC, { offset: 0, length: 1 }, () => clock.now);
  return { ...observing, receive: (event) => observe(observing, event) };
}

const account = (address: string, signature: string): Readable => ({
  kind: 'account',
  slot: 10,
  address,
  account: null,
  signature,
});
const block = (slot: number): Readable => ({ kind: 'block', slot, parent: slot - 1, blockTime: slot });
const final = (slot: number): Readable => ({ kind: 'slot', slot, status: 'finalized' });

/** As much of a transaction as observing asks for. */
function transaction(slot: number): Readable {
  const keys = { keySegments: () => [[{ toBase58: () => vault }]] };
  const response = { transaction: { message: { getAccountKeys: () => keys } }, meta: null };
  return { kind: 'transaction', slot, index: 0, signature: `s${slot}`, response } as unknown as Extract<
    StreamEvent,
    { kind: 'transaction' }
  >;
}

test('a transaction that wrote several pools and was not told of is missed for each of them, whenever they were told of', () => {
  const clock = { now: 0 };
  const source = observingAt(clock);
  source.receive(account(one, 's'));
  clock.now = 1_000;
  expect(source.missed.take()).toMatchObject([{ pool: one, slot: 10, signature: 's' }]);
  source.receive(account(one, 's'));
  source.receive(account(other, 's'));
  expect([...oldestOpen(source)]).toEqual([[other, 10]]);
  clock.now = 2_000;
  expect(source.missed.take()).toMatchObject([{ pool: other, slot: 10, signature: 's' }]);
  expect(source.missed.take()).toEqual([]);
});

test('a transaction whose block was never told of is asked about less and less, and given up once finality has passed it', () => {
  const clock = { now: 0 };
  const source = observingAt(clock);
  source.receive(transaction(10));
  expect([...oldestOpen(source)]).toEqual([[one, 10]]);
  const asked: number[] = [];
  for (; clock.now < 40_000; clock.now += 50) asked.push(...source.waiting.untimed());
  expect(asked).toEqual([10, 10, 10, 10]);
  expect(source.waiting.takeLost().size).toBe(0);
  source.receive(block(300));
  source.receive(final(300));
  expect([...source.waiting.takeLost()]).toEqual([[one, 10]]);
  expect(source.waiting.all.length).toBe(0);
  expect(source.waiting.takeLost().size).toBe(0);
});

test('the pools of a transaction that waits in a slot that died are doubted', () => {
  const source = observingAt({ now: 0 });
  source.receive(transaction(10));
  source.receive({ kind: 'slot', slot: 10, status: 'dead' });
  expect([...source.waiting.takeLost()]).toEqual([[one, 10]]);
  expect(oldestOpen(source).size).toBe(0);
});

test('its pulse is the newest block, with when it was made and first told of, and the newest final slot', () => {
  const clock = { now: 1 };
  const source = observingAt(clock);
  expect(source.blocks.pulse).toEqual({ tip: -1, madeAt: null, toldAt: Number.NEGATIVE_INFINITY, finalized: -1 });
  source.receive(block(100));
  clock.now = 2;
  source.receive(block(99));
  source.receive(block(100));
  source.receive(final(60));
  expect(source.blocks.pulse).toEqual({ tip: 100, madeAt: 100_000, toldAt: 1, finalized: 60 });
});
