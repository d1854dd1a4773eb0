import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApi, keypairSigner, launch, memoryStore, resumeLaunch, type Store } from '../../client/index.ts';
import { failure, success } from '../support/client/lines.ts';
import { operationOf } from '../support/client/tampering.ts';
import { creator, plainQuote } from '../support/client/honest-quotes.ts';

const token = plainQuote().wish;

/** A platform that keeps every payment it gets, and answers something else. */
function keepingPlatform(answer: () => Response) {
  const held = new Set<string>();
  const api = createApi({
    url: 'https://platform.example/api/public/v1',
    fetch: async (input, init) => {
      if (operationOf(input, init).endsWith('/prepare')) return success(plainQuote().quote);
      if (typeof init?.body === 'string') held.add(init.body);
      return answer();
    },
  });
  return { api, held };
}

const notCharged = () => failure(503, 'service_unavailable', { charged: false });
const malformed = () =>
  Response.json(
    { error: { code: 'invalid_request', message: 'no', retryable: false, retryAfterSeconds: 0 } },
    { status: 400 },
  );
const launchWith = (api: ReturnType<typeof createApi>, store: Store, more = {}) =>
  launch({ api, store, signer: keypairSigner(creator), token, maxLamports: 300_000_000n, ...more });

describe('what was signed counts as alive until its blockhash is over, whoever says what', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['not charged', notCharged],
    ['malformed', malformed],
  ])('a platform that says "%s" holds one signed payment at a time', async (_said, answer) => {
    const { api, held } = keepingPlatform(answer);
    const store = memoryStore();
    await launchWith(api, store).catch(() => undefined);
    expect(held.size).toBe(1);
    let isOver = false;
    const second = launchWith(api, store)
      .catch(() => undefined)
      .finally(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(89_000);
    expect([held.size, isOver]).toEqual([1, false]);
    await vi.advanceTimersByTimeAsync(6_000);
    await second;
    expect(held.size).toBe(2);
  });

  it('another token waits too, and the caller may end the waiting', async () => {
    const { api, held } = keepingPlatform(notCharged);
    const store = memoryStore();
    await launchWith(api, store);
    const ending = new AbortController();
    const attempt = launchWith(api, store, { token: { ...token, name: 'Another' }, signal: ending.signal });
    const ended = expect(attempt).rejects.toThrow(/ended|aborted/);
    await vi.advanceTimersByTimeAsync(10_000);
    ending.abort();
    await ended;
    expect(held.size).toBe(1);
  });

  it('a payment that landed after all is told instead of another one being signed', async () => {
    let answer = notCharged;
    const { api, held } = keepingPlatform(() => answer());
    const store = memoryStore();
    await launchWith(api, store);
    const { mint, paymentSignature } = JSON.parse(String(await store.load())) as Record<string, string>;
    answer = () => success({ status: 'completed', mint, paymentSignature });
    const second = launchWith(api, store);
    await vi.advanceTimersByTimeAsync(95_000);
    expect(await second).toMatchObject({ status: 'completed', mint });
    expect([held.size, await store.load()]).toEqual([1, null]);
  });

  it('a record from a clock that was ahead is waited for no longer than any', async () => {
    const { api, held } = keepingPlatform(notCharged);
    const store = memoryStore();
    await launchWith(api, store);
    vi.setSystemTime(Date.now() - 86_400_000);
    const second = launchWith(api, store);
    await vi.advanceTimersByTimeAsync(95_000);
    await second;
    expect(held.size).toBe(2);
  });

  it('is nothing to go on with: its outcome was told', async () => {
    const { api } = keepingPlatform(notCharged);
    const store = memoryStore();
    await launchWith(api, store);
    expect(await resumeLaunch({ api, store })).toBeNull();
  });
});

describe('with an RPC endpoint of one’s own', () => {
  let server: Server;
  afterEach(() => void server.close());

  /** An endpoint that answers every question for a signature's status alike. */
  async function endpointWith(status: object | null): Promise<string> {
    server = createServer((_, answer) => answer.end(JSON.stringify({ result: { context: {}, value: [status] } })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  it('"not charged" is not believed of a payment that is on the chain, which is kept', async () => {
    const { api } = keepingPlatform(notCharged);
    const store = memoryStore();
    const rpcUrl = await endpointWith({ slot: 1, err: null, confirmationStatus: 'confirmed' });
    expect(await launchWith(api, store, { rpcUrl })).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('chain has the payment') as unknown,
    });
    expect(JSON.parse(String(await store.load()))).not.toHaveProperty('isTold');
  });

  it.each([
    ['is not there', null],
    ['failed', { slot: 1, err: { InstructionError: [0, 'x'] } }],
  ])('"not charged" stands where the payment %s', async (_what, status) => {
    const { api } = keepingPlatform(notCharged);
    const rpcUrl = await endpointWith(status);
    expect(await launchWith(api, memoryStore(), { rpcUrl })).toMatchObject({ status: 'not_charged' });
  });
});
