import { once } from 'node:events';
import { createServer, type Server as TcpServer } from 'node:net';
import { Server, ServerCredentials, status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { SearcherServiceService, type SearcherServiceServer } from 'jito-ts/dist/gen/block-engine/searcher.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type BundleRelay, BundleSendError } from '../../../chain/relay/bundle-relay.ts';
import { createJitoRelay } from '../../../chain/relay/jito-relay.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Ends a wait for what never comes. */
const SOON_MS = 400;

/** Waits long for what comes, however busy the machine is. */
const PATIENT = { connectTimeoutMs: 30_000, callTimeoutMs: 30_000 };

function relayTo(url: string, limits: Partial<typeof PATIENT> = {}): BundleRelay {
  const relay = createJitoRelay({ url, ...PATIENT, ...limits });
  cleanups.push(() => relay.close());
  return relay;
}

type Handlers = Partial<Pick<SearcherServiceServer, 'sendBundle' | 'getTipAccounts' | 'subscribeBundleResults'>>;

/** A server of the searcher protocol whose answers are forced. */
async function serve(handlers: Handlers): Promise<string> {
  const server = new Server();
  const unimplemented: SearcherServiceServer['sendBundle'] = (_call, callback) =>
    callback({ code: status.UNIMPLEMENTED });
  const stubs = Object.fromEntries(Object.keys(SearcherServiceService).map((name) => [name, unimplemented]));
  const service: UntypedServiceImplementation = { ...stubs };
  for (const [name, handler] of Object.entries(handlers)) service[name] = handler;
  server.addService(SearcherServiceService, service);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  cleanups.push(() => server.forceShutdown());
  return `http://127.0.0.1:${port}`;
}

async function silentPort(): Promise<{ server: TcpServer; url: string }> {
  const server = createServer((socket) => socket.on('error', () => socket.destroy())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  cleanups.push(() => void server.close());
  return { server, url: `http://127.0.0.1:${address.port}` };
}

function wire(): Uint8Array {
  const payer = Keypair.generate();
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: Keypair.generate().publicKey.toBase58(),
    instructions: [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 })],
  }).compileToV0Message();
  const transaction = new VersionedTransaction(message);
  transaction.sign([payer]);
  return transaction.serialize();
}

async function failureOf(sending: Promise<unknown>): Promise<BundleSendError> {
  const error: unknown = await sending.then(
    () => new Error('it was sent'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof BundleSendError)) throw new Error('not a BundleSendError', { cause: error });
  return error;
}

describe('a bundle that was never handed over is refused', () => {
  it('when nobody listens', async () => {
    const { server, url } = await silentPort();
    server.close();
    const failure = await failureOf(relayTo(url, { connectTimeoutMs: SOON_MS }).sendBundle([wire()]));
    expect(failure.outcome).toBe('refused');
    expect(failure.message).toContain(`no connection to block engine ${url}`);
  });

  it('when the port speaks another protocol', async () => {
    const { url } = await silentPort();
    expect((await failureOf(relayTo(url, { connectTimeoutMs: SOON_MS }).sendBundle([wire()]))).outcome).toBe('refused');
  });

  it('when a TLS connection is tried against a plaintext engine', async () => {
    const url = await serve({});
    expect(
      (await failureOf(relayTo(url.replace('http:', 'https:'), { connectTimeoutMs: SOON_MS }).sendBundle([wire()])))
        .outcome,
    ).toBe('refused');
  });

  it.each([
    ['empty', []],
    ['too long', Array.from({ length: 6 }, wire)],
    ['malformed', [new Uint8Array(10)]],
    ['not in canonical form', [Buffer.concat([wire(), Buffer.from([0])])]],
  ])('when the bundle is %s', async (_name, wires) => {
    let received = 0;
    const url = await serve({
      sendBundle: (_call, callback) => {
        received += 1;
        callback(null, { uuid: 'x' });
      },
    });
    expect((await failureOf(relayTo(url).sendBundle(wires))).outcome).toBe('refused');
    expect(received).toBe(0);
  });

  it('when the engine turns it away', async () => {
    const url = await serve({
      sendBundle: (_call, callback) => callback({ code: status.INVALID_ARGUMENT, details: 'no tip' }),
    });
    const failure = await failureOf(relayTo(url).sendBundle([wire()]));
    expect(failure).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('INVALID_ARGUMENT: no tip') as string,
    });
  });
});

describe('a bundle that may have been forwarded is unknown', () => {
  it('when the engine never answers: the call ends by its deadline', async () => {
    const url = await serve({ sendBundle: () => undefined });
    const failure = await failureOf(relayTo(url, { callTimeoutMs: SOON_MS }).sendBundle([wire()]));
    expect(failure.outcome).toBe('unknown');
  });

  it('when the engine fails after it took the bundle', async () => {
    const url = await serve({ sendBundle: (_call, callback) => callback({ code: status.INTERNAL, details: 'oops' }) });
    expect((await failureOf(relayTo(url).sendBundle([wire()]))).outcome).toBe('unknown');
  });

  it('when the relay is closed during the call', async () => {
    let took: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => (took = resolve));
    const url = await serve({ sendBundle: () => took() });
    const relay = relayTo(url, { callTimeoutMs: 3_000 });
    const sending = failureOf(relay.sendBundle([wire()]));
    await taken;
    relay.close();
    expect((await sending).outcome).toBe('unknown');
  });
});

describe('sending', () => {
  it('hands over the persisted bytes, in order, once', async () => {
    const wires = [wire(), wire(), wire()];
    const received: Uint8Array[][] = [];
    const url = await serve({
      sendBundle: (call, callback) => {
        received.push((call.request.bundle?.packets ?? []).map(({ data }) => data));
        callback(null, { uuid: 'bundle-1' });
      },
    });
    expect(await relayTo(url).sendBundle(wires)).toEqual({ bundleId: 'bundle-1' });
    expect(received.map((packets) => packets.map((data) => Buffer.from(data).toString('hex')))).toEqual([
      wires.map((bytes) => Buffer.from(bytes).toString('hex')),
    ]);
  });
});

describe('tip accounts', () => {
  it('are addresses', async () => {
    const account = Keypair.generate().publicKey;
    const url = await serve({
      getTipAccounts: (_call, callback) => callback(null, { accounts: [account.toBase58()] }),
    });
    expect(await relayTo(url).tipAccounts()).toEqual([account]);
  });

  it.each([
    [[], 'empty list'],
    [['not an address'], '"not an address"'],
  ])('%j is an error that says what came', async (accounts, text) => {
    const url = await serve({ getTipAccounts: (_call, callback) => callback(null, { accounts }) });
    await expect(relayTo(url).tipAccounts()).rejects.toThrow(text);
  });
});

describe('hints', () => {
  it('go on after the engine ended the stream', async () => {
    let streams = 0;
    const url = await serve({
      subscribeBundleResults(call) {
        streams += 1;
        call.write({ bundleId: `stream-${streams}`, processed: { slot: 1, bundleIndex: 0, validatorIdentity: '' } });
        if (streams === 1) call.end();
        else if (streams === 2) call.emit('error', { code: status.UNAVAILABLE });
      },
    });
    const heard: string[] = [];
    relayTo(url).watchHints(({ bundleId }) => heard.push(bundleId));
    await expect.poll(() => heard).toEqual(['stream-1', 'stream-2', 'stream-3']);
  });

  it('of an engine that is not there do nothing', async () => {
    const { server, url } = await silentPort();
    server.close();
    const stop = relayTo(url).watchHints(() => {
      throw new Error('a hint from nowhere');
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    stop();
  });
});
