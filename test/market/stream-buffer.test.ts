import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { StreamBuffer } from '../../activities/market/stream/stream-buffer.ts';
import { WatchList } from '../../activities/market/stream/watch-list.ts';
import type { StreamEvent } from '../../chain/stream/chain-stream.ts';

type Told = Parameters<StreamBuffer['receive']>[0];

const [one, other, vault] = [0, 1, 2].map(() => Keypair.generate().publicKey.toBase58()) as [string, string, string];

function bufferAt(clock: { now: number }): StreamBuffer {
  const list = new WatchList();
  list.add({ pool: one, mint: 'mint', baseVault: vault, isReward: true });
  list.add({ pool: other, mint: 'other mint', baseVault: 'other vault', isReward: false });
  return new StreamBuffer(
    () => list,
    { offset: 0, length: 1 },
    () => clock.now,
  );
}

const account = (address: string, signature: string): Told => ({
  kind: 'account',
  slot: 10,
  address,
  account: null,
  signature,
});
const block = (slot: number): Told => ({ kind: 'block', slot, parent: slot - 1, blockTime: slot });
const final = (slot: number): Told => ({ kind: 'slot', slot, status: 'finalized' });

/** As much of a transaction as a buffer asks for. */
function transaction(slot: number): Told {
  const keys = { keySegments: () => [[{ toBase58: () => vault }]] };
  const response = { transaction: { message: { getAccountKeys: () => keys } }, meta: null };
  return { kind: 'transaction', slot, index: 0, signature: `s${slot}`, response } as unknown as Extract<
    StreamEvent,
    { kind: 'transaction' }
  >;
}

test('a transaction that wrote several pools and was not told of is missed for each of them, whenever they were told of', () => {
  const clock = { now: 0 };
  const buffer = bufferAt(clock);
  buffer.receive(account(one, 's'));
  clock.now = 1_000;
  expect(buffer.takeMissed()).toMatchObject([{ pool: one, slot: 10, signature: 's' }]);
  buffer.receive(account(one, 's'));
  buffer.receive(account(other, 's'));
  expect([...buffer.oldestOpen()]).toEqual([[other, 10]]);
  clock.now = 2_000;
  expect(buffer.takeMissed()).toMatchObject([{ pool: other, slot: 10, signature: 's' }]);
  expect(buffer.takeMissed()).toEqual([]);
});

test('a transaction whose block was never told of is asked about less and less, and given up once finality has passed it', () => {
  const clock = { now: 0 };
  const buffer = bufferAt(clock);
  buffer.receive(transaction(10));
  expect([...buffer.oldestOpen()]).toEqual([[one, 10]]);
  const asked: number[] = [];
  for (; clock.now < 40_000; clock.now += 50) asked.push(...buffer.untimed());
  expect(asked).toEqual([10, 10, 10, 10]);
  expect(buffer.takeLost().size).toBe(0);
  buffer.receive(block(300));
  buffer.receive(final(300));
  expect([...buffer.takeLost()]).toEqual([[one, 10]]);
  expect(buffer.waiting).toBe(0);
  expect(buffer.takeLost().size).toBe(0);
});

test('the pools of a transaction that waits in a slot that died are doubted', () => {
  const buffer = bufferAt({ now: 0 });
  buffer.receive(transaction(10));
  buffer.receive({ kind: 'slot', slot: 10, status: 'dead' });
  expect([...buffer.takeLost()]).toEqual([[one, 10]]);
  expect(buffer.oldestOpen().size).toBe(0);
});

test('its pulse is the newest block, with when it was made and first told of, and the newest final slot', () => {
  const clock = { now: 1 };
  const buffer = bufferAt(clock);
  expect(buffer.pulse).toEqual({ tip: -1, madeAt: null, toldAt: Number.NEGATIVE_INFINITY, finalized: -1 });
  buffer.receive(block(100));
  clock.now = 2;
  buffer.receive(block(99));
  buffer.receive(block(100));
  buffer.receive(final(60));
  expect(buffer.pulse).toEqual({ tip: 100, madeAt: 100_000, toldAt: 1, finalized: 60 });
});
