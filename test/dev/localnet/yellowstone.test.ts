import { Client, type ClientDuplexStream, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import bs58 from 'bs58';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  AccountsFilter,
  COMMITMENTS,
  Empty,
  PingCount,
  PingId,
  SLOT_STATUSES,
  SlotsFilter,
  SubscribeRequest,
  type SubscribeRequestValue,
  type SubscribeUpdateValue,
  TransactionsFilter,
} from '../../../chain/stream/yellowstone/messages.ts';
import { GEYSER } from '../../../chain/stream/yellowstone/service.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { someone } from '../../support/dev/localnet-chain.ts';
import { eventually } from '../../support/platform/eventually.ts';

let chain: Localnet;
let client: Client;
let wallet: string;
beforeEach(async () => {
  chain = await startLocalnet({ slotMs: 0, stream: { port: 0, token: 'word', keptSlots: 100 } });
  client = new Client(new URL(chain.streamUrl!).host, credentials.createInsecure());
  wallet = someone().toBase58();
});
afterEach(async () => {
  client.close();
  await chain.close();
});

interface Stream {
  readonly call: ClientDuplexStream<SubscribeRequestValue, SubscribeUpdateValue>;
  readonly updates: SubscribeUpdateValue[];
  readonly errors: ServiceError[];
}

function open(request: Partial<SubscribeRequestValue>, token = 'word'): Stream {
  const metadata = new Metadata();
  metadata.set('x-token', token);
  const { path, requestSerialize, responseDeserialize } = GEYSER.subscribe;
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
  const stream: Stream = { call, updates: [], errors: [] };
  call.on('data', (update: SubscribeUpdateValue) => stream.updates.push(update));
  call.on('error', (error: ServiceError) => stream.errors.push(error));
  call.write(SubscribeRequest.of(request));
  return stream;
}

/** Everything that was asked for before has been heard. */
async function heard(stream: Stream, id: number): Promise<void> {
  stream.call.write(SubscribeRequest.of({ ping: PingId.of({ id }) }));
  await eventually(() => Promise.resolve(stream.updates.some(({ pong }) => pong?.id === id) || null));
}

const wanted = (commitment: keyof typeof COMMITMENTS): Partial<SubscribeRequestValue> => ({
  commitment: COMMITMENTS[commitment],
  transactions: new Map([['mine', TransactionsFilter.of({ failed: false, accountInclude: [wallet] })]]),
  transactionsStatus: new Map([['statuses', TransactionsFilter.of({ accountInclude: [wallet] })]]),
  accounts: new Map([['wallet', AccountsFilter.of({ account: [wallet] })]]),
  slots: new Map([['slots', SlotsFilter.of({})]]),
  blocksMeta: new Map([['blocks', {}]]),
});

const transactionsOf = ({ updates }: Stream) => updates.filter(({ transaction }) => transaction !== null);
const statusesOf = ({ updates }: Stream, slot: number) =>
  updates.flatMap((update) => (update.slot?.slot === slot ? [update.slot.status] : []));

test('transactions, accounts, blocks and slots are told once they are confirmed', async () => {
  const stream = open(wanted('confirmed'));
  await heard(stream, 1);
  const signature = chain.control.fund(wallet, 1_000_000_000n);
  chain.control.fund(someone().toBase58(), 1_000_000_000n);
  await heard(stream, 2);
  expect(transactionsOf(stream)).toEqual([]);
  chain.control.advanceSlots(2);
  await heard(stream, 3);
  const [update, ...others] = transactionsOf(stream);
  expect(others).toEqual([]);
  expect(update).toMatchObject({ filters: ['mine'], transaction: { transaction: { meta: { err: null } } } });
  expect(bs58.encode(update!.transaction!.transaction!.signature)).toBe(signature);
  const { slot } = update!.transaction!;
  expect(stream.updates.find(({ transactionStatus }) => transactionStatus !== null)).toMatchObject({
    filters: ['statuses'],
    transactionStatus: { slot },
  });
  expect(stream.updates.find(({ account }) => account !== null)).toMatchObject({
    filters: ['wallet'],
    account: { slot, account: { lamports: 1_000_000_000n, pubkey: Buffer.from(bs58.decode(wallet)) } },
  });
  const block = stream.updates.find(({ blockMeta }) => blockMeta?.slot === slot);
  expect(block?.blockMeta).toMatchObject({ parentSlot: slot - 1, executedTransactionCount: 2 });
  chain.control.advanceSlots(31);
  await heard(stream, 4);
  expect(statusesOf(stream, slot)).toEqual([SLOT_STATUSES.processed, SLOT_STATUSES.confirmed, SLOT_STATUSES.finalized]);
});

test('what is processed is told at once, and a dropped slot is told to be dead', async () => {
  const stream = open(wanted('processed'));
  await heard(stream, 1);
  chain.control.fund(wallet, 1_000_000_000n);
  await heard(stream, 2);
  expect(transactionsOf(stream)).toHaveLength(1);
  const { slot } = transactionsOf(stream)[0]!.transaction!;
  chain.control.advanceSlots(1);
  chain.control.skipSlot({ fromSlot: slot });
  await heard(stream, 3);
  expect(statusesOf(stream, slot)).toContain(SLOT_STATUSES.dead);
});

test('a stream begins with an earlier slot where that is asked for, as far back as the server keeps it', async () => {
  chain.control.fund(wallet, 1_000_000_000n);
  const from = await new Promise<number>((resolve, reject) =>
    client.makeUnaryRequest(
      GEYSER.subscribeReplayInfo.path,
      GEYSER.subscribeReplayInfo.requestSerialize,
      GEYSER.subscribeReplayInfo.responseDeserialize,
      Empty.of({}),
      (error, answer) => (error ? reject(error) : resolve(answer!.firstAvailable!)),
    ),
  );
  chain.control.advanceSlots(40);
  const stream = open({ ...wanted('confirmed'), fromSlot: from });
  await heard(stream, 1);
  expect(transactionsOf(stream)).toHaveLength(1);
  const { slot } = transactionsOf(stream)[0]!.transaction!;
  expect(statusesOf(stream, slot)).toContain(SLOT_STATUSES.finalized);
  chain.control.stream.replayFrom = slot + 1;
  const late = open({ ...wanted('confirmed'), fromSlot: from });
  await eventually(() => Promise.resolve(late.errors[0] ?? null));
  expect(late.errors[0]?.details).toContain(`broadcast from ${from} is not available`);
});

test('a new request on the same stream replaces the one before', async () => {
  const stream = open({ commitment: COMMITMENTS.processed });
  await heard(stream, 1);
  chain.control.fund(wallet, 1_000_000_000n);
  stream.call.write(SubscribeRequest.of(wanted('processed')));
  await heard(stream, 2);
  chain.control.fund(wallet, 2_000_000_000n);
  await heard(stream, 3);
  expect(transactionsOf(stream)).toHaveLength(1);
});

test('a stream can be cut, be late and lose updates', async () => {
  const { stream: faults } = chain.control;
  const stream = open(wanted('processed'));
  await heard(stream, 1);
  faults.drop('transaction', 1);
  chain.control.fund(wallet, 1_000_000_000n);
  faults.lagMs = 50;
  const started = performance.now();
  chain.control.fund(wallet, 2_000_000_000n);
  await eventually(() => Promise.resolve(transactionsOf(stream).length > 0 || null));
  expect(performance.now() - started).toBeGreaterThanOrEqual(45);
  expect(transactionsOf(stream)).toHaveLength(1);
  faults.clear();
  faults.cut();
  await eventually(() => Promise.resolve(stream.errors[0] ?? null));
  expect(stream.errors[0]?.code).toBe(status.UNAVAILABLE);
  const refused = open(wanted('processed'));
  await eventually(() => Promise.resolve(refused.errors[0] ?? null));
  faults.clear();
  const again = open(wanted('processed'));
  await heard(again, 1);
});

test('without its token nobody is served, and a request that makes no sense is refused', async () => {
  const stranger = open(wanted('processed'), 'other');
  await eventually(() => Promise.resolve(stranger.errors[0] ?? null));
  expect(stranger.errors[0]?.code).toBe(status.UNAUTHENTICATED);
  const unreadable = open({ commitment: 7 });
  await eventually(() => Promise.resolve(unreadable.errors[0] ?? null));
  expect(unreadable.errors[0]?.code).toBe(status.INVALID_ARGUMENT);
  const { path, requestSerialize, responseDeserialize } = GEYSER.ping;
  const answer = await new Promise((resolve, reject) =>
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, PingCount.of({ count: 5 }), (error, value) =>
      error ? reject(error) : resolve(value),
    ),
  );
  expect(answer).toEqual({ count: 5 });
});
