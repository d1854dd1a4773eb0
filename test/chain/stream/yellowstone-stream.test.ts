import { Server, ServerCredentials, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChainStream, StreamEvent } from '../../../chain/stream/chain-stream.ts';
import { Empty, SLOT_STATUSES, SlotUpdate, SubscribeUpdate } from '../../../chain/stream/yellowstone/messages.ts';
import { GEYSER } from '../../../chain/stream/yellowstone/service.ts';
import { createYellowstoneStream } from '../../../chain/stream/yellowstone/yellowstone-stream.ts';
import { eventually } from '../../support/platform/eventually.ts';

type Call = ServerDuplexStream<unknown, Buffer>;

/** A server that sends bytes as they are, and does not know of replays. */
const BARE = {
  subscribe: { ...GEYSER.subscribe, responseSerialize: (bytes: Buffer) => bytes },
  subscribeReplayInfo: GEYSER.subscribeReplayInfo,
};
const NOTHING = { mentioned: [], accounts: [] };
const PING = SubscribeUpdate.encode(SubscribeUpdate.of({ ping: Empty.of({}) }));
const slotUpdate = (slot: number): Buffer =>
  SubscribeUpdate.encode(SubscribeUpdate.of({ slot: SlotUpdate.of({ slot, status: SLOT_STATUSES.finalized }) }));

let server: Server;
let stream: ChainStream;
let call: Call | null;
let heard: StreamEvent[];

beforeEach(async () => {
  [call, heard] = [null, []];
  server = new Server();
  server.addService(BARE, {
    subscribe: (opened: Call) => {
      call = opened;
      opened.on('error', () => undefined);
    },
    subscribeReplayInfo: (_call: unknown, answer: (error: { code: status; details: string }) => void) =>
      answer({ code: status.UNIMPLEMENTED, details: 'no such method' }),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  stream = createYellowstoneStream({ url: `http://127.0.0.1:${port}`, silenceMs: 500 });
});
afterEach(() => {
  stream.close();
  server.forceShutdown();
});

const untilCalled = () => eventually(() => Promise.resolve(call), 'a stream');

test('a stream that sends nothing but pings is given up', async () => {
  const open = stream.open(NOTHING, null, (event) => heard.push(event));
  const opened = await untilCalled();
  const pings = setInterval(() => opened.write(PING), 50);
  try {
    await expect(open.ended).resolves.toMatchObject({ message: 'the stream said nothing for 500 ms' });
  } finally {
    clearInterval(pings);
  }
});

test('an update that cannot be read is told of as such, and the stream goes on', async () => {
  const open = stream.open(NOTHING, null, (event) => heard.push(event));
  const opened = await untilCalled();
  opened.write(Buffer.from([0x12, 0xff]));
  opened.write(slotUpdate(7));
  await eventually(() => Promise.resolve(heard.some(({ kind }) => kind === 'slot') || null), 'the slot');
  expect(heard).toMatchObject([{ kind: 'unreadable' }, { kind: 'slot', slot: 7, status: 'finalized' }]);
  open.close();
});

test('an older server has nothing to tell again', async () => {
  await expect(stream.firstAvailable()).resolves.toBeNull();
});
