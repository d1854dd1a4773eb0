import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Api,
  createApi,
  keypairSigner,
  launch,
  type LaunchOptions,
  type LaunchOutcome,
  memoryStore,
  RefusedError,
  type Signer,
  walletStandardSigner,
} from '../../client/index.ts';
import * as switches from '../../db/platform/switches.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { PAYMENT_TAMPERS } from '../support/client/payment-tampers.ts';
import { answering, badLine, failure, success, tooMany } from '../support/client/lines.ts';
import { WALLET_TAMPERS, withAssertion } from '../support/client/wallet-tampers.ts';
import { tampering } from '../support/client/tampering.ts';
import { type Creator, createCreator } from '../support/platform/creator.ts';
import { LOGO } from '../support/platform/logo.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

/** Any text. */
const TEXT: unknown = expect.any(String);

const token = { quoteMint: SEED_PAIRS[0]?.mint.toBase58() ?? '', name: 'Harbour Light', symbol: 'HARBOR', logo: LOGO };
const maxLamports = 400_000_000n;

let platform: Platform;
let creator: Creator;
let url: string;
beforeAll(async () => {
  platform = await startPlatform();
  url = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`;
  creator = await createCreator(platform, 10);
});
afterAll(() => platform.close());

/** A signer that counts. */
function countingSigner(): Signer & { readonly signed: Uint8Array[] } {
  const signer = keypairSigner(creator.keypair);
  const signed: Uint8Array[] = [];
  return {
    ...signer,
    signed,
    sign: (transaction) => {
      signed.push(transaction);
      return signer.sign(transaction);
    },
  };
}

const signatureOf = (outcome: LaunchOutcome) => ('paymentSignature' in outcome ? outcome.paymentSignature : undefined);

let api: Api;
let signer: ReturnType<typeof countingSigner>;
let options: LaunchOptions;
beforeEach(() => {
  api = createApi({ url });
  signer = countingSigner();
  options = { api, signer, token, maxLamports, pollMs: 50 };
});

describe('a launch', () => {
  it('is paid once, for exactly the quoted price, and is live', async () => {
    const before = await creator.balance();
    const steps: string[] = [];
    const outcome = await launch({ ...options, onProgress: ({ step }) => void steps.push(step) });
    expect(outcome).toMatchObject({ status: 'completed', mint: TEXT, pool: TEXT });
    expect(before - (await creator.balance())).toBe(290_000_000 + 16_000);
    expect(signer.signed).toHaveLength(1);
    expect(steps).toEqual(['prepared', 'signed', 'ended']);
  });

  it('is declined without a signature where `approve` says no', async () => {
    const outcome = await launch({ ...options, approve: ({ payment }) => payment.lamports < 0 });
    expect(outcome).toMatchObject({ status: 'declined', quote: { payment: { lamports: 290_000_000 } } });
    expect(signer.signed).toEqual([]);
  });

  it('costs no more than was allowed, or is not signed', async () => {
    await expect(launch({ ...options, maxLamports: 289_999_999n })).rejects.toThrow(
      'the launch costs 290000000 lamports, maxLamports allows 289999999',
    );
    expect(signer.signed).toEqual([]);
  });
});

describe('an outcome that is not known yet', () => {
  it('is followed without a second signature where answers get lost, and is paid once', async () => {
    const before = await creator.balance();
    const line = badLine({ loses: /submit$/, times: 3 });
    const outcome = await launch({ ...options, api: createApi({ url, fetch: line.fetch }) });
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(before - (await creator.balance())).toBe(290_000_000 + 16_000);
    expect(signer.signed).toHaveLength(1);
    expect(line.asked.filter((asked) => asked.endsWith('/submit')).length).toBeGreaterThanOrEqual(4);
  });

  it('is `unknown` when patience is over, and the same call with the same store goes on with it after a crash', async () => {
    const before = await creator.balance();
    const store = memoryStore();
    const line = badLine({ loses: /submit$/, times: 1_000 });
    const first = await launch({ ...options, store, api: createApi({ url, fetch: line.fetch }), patienceMs: 200 });
    expect(first).toMatchObject({ status: 'unknown', paymentSignature: TEXT });
    const second = await launch({ ...options, store });
    expect(second).toMatchObject({ status: 'completed', paymentSignature: signatureOf(first) });
    expect(signer.signed).toHaveLength(1);
    expect(before - (await creator.balance())).toBe(290_000_000 + 16_000);
    expect(await store.load()).toBeNull();
  });

  it('keeps another launch from being paid with the same store', async () => {
    const store = memoryStore();
    const line = badLine({ loses: /submit$/, times: 1_000 });
    await launch({ ...options, store, api: createApi({ url, fetch: line.fetch }), patienceMs: 200 });
    const other = launch({ ...options, store, token: { ...token, name: 'Another' } });
    await expect(other).rejects.toThrow(/unfinished launch of Harbour Light/);
    expect(signer.signed).toHaveLength(1);
  });

  it('ends where the caller ends the waiting, and can be taken up again', async () => {
    const store = memoryStore();
    const line = badLine({ loses: /submit$/, times: 1_000 });
    const ending = new AbortController();
    const onProgress = ({ step }: { step: string }) => void (step === 'waiting' && ending.abort());
    const attempt = launch({
      ...options,
      store,
      onProgress,
      signal: ending.signal,
      api: createApi({ url, fetch: line.fetch }),
    });
    await expect(attempt).rejects.toThrow(/aborted|ended/);
    expect(await launch({ ...options, store })).toMatchObject({ status: 'completed' });
  });
});

describe('every other answer of the platform', () => {
  it('not charged: a quote that is too old is over, and says so', async () => {
    const store = memoryStore();
    const late = {
      ...signer,
      sign: async (transaction: Uint8Array) => {
        platform.chain.control.expireBlockhashes();
        return signer.sign(transaction);
      },
    };
    const before = await creator.balance();
    const outcome = await launch({ ...options, store, signer: late });
    expect(outcome).toMatchObject({ status: 'not_charged', reason: expect.stringMatching(/came too late/) as unknown });
    expect(await creator.balance()).toBe(before);
    expect(JSON.parse(String(await store.load()))).toMatchObject({ isTold: true });
  });

  it('paused: refused before anything is signed; a payment signed meanwhile is kept, and the same call goes on with it', async () => {
    const pause = (value: 'on' | 'off') =>
      switches.set(platform.db, 'launching', value, { actor: 'test', note: 'test' });
    await pause('off');
    await expect(launch(options)).rejects.toMatchObject({ code: 'service_unavailable', status: 503, retryable: false });
    await pause('on');
    const slow = {
      ...signer,
      sign: async (transaction: Uint8Array) => {
        await pause('off');
        return signer.sign(transaction);
      },
    };
    const store = memoryStore();
    const impatient = { ...options, store, signer: slow, patienceMs: 3_000 };
    const outcome = await launch(impatient);
    await pause('on');
    expect(outcome).toMatchObject({ status: 'unknown', reason: 'launching is paused' });
    expect(await launch({ ...options, store })).toMatchObject({
      status: 'completed',
      paymentSignature: signatureOf(outcome),
    });
    expect(signer.signed).toHaveLength(1);
  });

  it('a 503 that waiting does not mend proves no absence of a charge: the payment is kept, never signed again', async () => {
    const store = memoryStore();
    const error = { code: 'service_unavailable', message: 'its addresses were taken', retryable: false };
    const line = answering(/submit$/, [Response.json({ error }, { status: 503 })]);
    const outcome = await launch({ ...options, store, api: createApi({ url, fetch: line }), patienceMs: 0 });
    expect(outcome).toMatchObject({ status: 'unknown', reason: 'its addresses were taken' });
    expect(await store.load()).not.toBeNull();
    expect(await launch({ ...options, store })).toMatchObject({ status: 'completed' });
    expect(signer.signed).toHaveLength(1);
  });

  it('too many requests: waits as Retry-After says', async () => {
    const line = answering(/submit$/, [tooMany(1)]);
    const started = performance.now();
    expect(await launch({ ...options, api: createApi({ url, fetch: line }) })).toMatchObject({ status: 'completed' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
  });

  it('needs recovery: paid, and an operator is at it; it is kept and never signed again', async () => {
    const store = memoryStore();
    const line = answering(/submit$/, [failure(409, 'conflict', { paymentSignature: 'x' })]);
    const outcome = await launch({ ...options, store, api: createApi({ url, fetch: line }) });
    expect(outcome).toMatchObject({ status: 'needs_recovery' });
    expect(await store.load()).not.toBeNull();
  });

  it('refunded: paid and given back', async () => {
    const line = answering(/submit$/, [
      failure(503, 'service_unavailable', { charged: false, paymentSignature: 's', refundSignature: 'r' }),
    ]);
    expect(await launch({ ...options, api: createApi({ url, fetch: line }) })).toMatchObject({
      status: 'refunded',
      refundSignature: 'r',
    });
  });

  it('processing, then unknown to the status: the same body is submitted again', async () => {
    const line = badLine({ loses: /never/, times: 0 });
    const first = answering(/submit$/, [success({ status: 'processing', paymentSignature: 's' })], line.fetch);
    expect(await launch({ ...options, api: createApi({ url, fetch: first }) })).toMatchObject({ status: 'completed' });
    expect(line.asked.map((asked) => asked.replace(/[^/]{60,}$/, ':signature'))).toEqual([
      'POST /launches/prepare',
      'GET /launches/:signature',
      'POST /launches/submit',
    ]);
  });

  it('a fault of the platform: the same body again', async () => {
    const line = answering(/submit$/, [failure(500, 'internal', {}), failure(503, 'service_unavailable', {})]);
    expect(await launch({ ...options, api: createApi({ url, fetch: line }) })).toMatchObject({ status: 'completed' });
    expect(signer.signed).toHaveLength(1);
  });

  it('malformed: an error with code, status, message and request id', async () => {
    const attempt = launch({ ...options, token: { ...token, symbol: 'TOO LONG A SYMBOL' } });
    await expect(attempt).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
      retryAfter: 0,
      requestId: TEXT,
    });
  });
});

describe('a wallet that signs something else', () => {
  it.each(WALLET_TAMPERS)('is not believed: $what', async ({ says, tamper }) => {
    const line = badLine({ loses: /never/, times: 0 });
    const wallet = { ...signer, sign: async (transaction: Uint8Array) => tamper(transaction, creator.keypair) };
    const attempt = launch({ ...options, signer: wallet, api: createApi({ url, fetch: line.fetch }) });
    await expect(attempt).rejects.toThrow(says);
    expect(line.asked).toEqual(['POST /launches/prepare']);
  });

  it('may append read-only assertions of Lighthouse', async () => {
    const wallet = { ...signer, sign: async (transaction: Uint8Array) => withAssertion(transaction, creator.keypair) };
    // The local chain has no Lighthouse: the platform takes the payment in, and the simulation of the bundle says that.
    const outcome = await launch({ ...options, signer: wallet });
    expect(outcome).toMatchObject({ status: 'not_charged', reason: expect.stringMatching(/program/i) as unknown });
  });
});

it('a wallet-standard wallet of a browser signs a launch', async () => {
  const account = { address: creator.address.toBase58(), label: 'mine' };
  const asked: object[] = [];
  const wallet = {
    name: 'Test Wallet',
    features: {
      'solana:signTransaction': {
        signTransaction: async (input: { account: typeof account; transaction: Uint8Array; chain?: string }) => {
          asked.push({ account: input.account, chain: input.chain });
          return [{ signedTransaction: await signer.sign(input.transaction) }];
        },
      },
    },
  };
  const standard = walletStandardSigner(wallet, account, 'solana:localnet');
  expect(await launch({ ...options, signer: standard })).toMatchObject({ status: 'completed' });
  expect(asked).toEqual([{ account, chain: 'solana:localnet' }]);
});

describe('a platform that lies', () => {
  it.each(PAYMENT_TAMPERS)('gets no signature for $what', async ({ says, tamper }) => {
    const lies = tampering('POST /launches/prepare', tamper);
    const attempt = launch({ ...options, api: createApi({ url, fetch: lies.fetch }) });
    await expect(attempt).rejects.toThrow(says);
    await expect(attempt).rejects.toThrow(RefusedError);
    expect([signer.signed.length, lies.asked]).toEqual([0, ['POST /launches/prepare']]);
  });

  it('gets no submission where it sends the client elsewhere', async () => {
    const elsewhere = createServer((_, answer) => answer.writeHead(307, { location: `${url}/launches/prepare` }).end());
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const address = elsewhere.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const attempt = launch({
      ...options,
      api: createApi({ url: `http://127.0.0.1:${port}/api/public/v1` }),
      patienceMs: 10,
    });
    await expect(attempt).rejects.toThrow(/did not answer/);
    elsewhere.close();
    expect(signer.signed).toEqual([]);
  });

  it('is not believed that another token than the quoted one is live', async () => {
    const lies = tampering('POST /launches/submit', () => ({ mint: creator.address.toBase58() }));
    await expect(launch({ ...options, api: createApi({ url, fetch: lies.fetch }) })).rejects.toThrow(
      /is live, quoted was/,
    );
  });
});
