import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agreedTransaction } from '../../../chain/rpc/agreed.ts';
import { type Ask, createEndpointSet, type Reply } from '../../../chain/rpc/endpoints.ts';
import type { RpcEndpoint } from '../../../chain/rpc/json-rpc.ts';

const GRACE_MS = 2_000;
/** When the endpoint answers, ms; null: it hangs. */
type Delays = readonly [number | null, number | null, number | null];

const endpoints = ['one', 'another', 'third'].map((name) => ({ name }) as RpcEndpoint);
const after = <T>(ms: number | null, value: T) =>
  new Promise<T>((resolve) => {
    if (ms !== null) setTimeout(() => resolve(value), ms);
  });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How long a read takes, ms, and how many responses it gives; null when it has not ended after a minute. */
async function timed(read: () => Promise<readonly unknown[]>) {
  const beginning = Date.now();
  let outcome: { ms: number; responses: number } | null = null;
  void read().then((replies) => (outcome = { ms: Date.now() - beginning, responses: replies.length }));
  for (let waited = 0; waited < 60_000 && outcome === null; waited += 100) await vi.advanceTimersByTimeAsync(100);
  return outcome;
}

/** Each endpoint answers its own name, so that nothing is ever decided. */
function differing(delays: Delays) {
  const set = createEndpointSet(endpoints, Date.now);
  const ask: Ask<string> = (endpoint) => after(delays[endpoints.indexOf(endpoint)] ?? null, endpoint.name);
  return () =>
    timed((): Promise<readonly Reply<string>[]> =>
      set.quorumReplies(ask, { graceMs: GRACE_MS, isDecided: () => false }),
    );
}

describe('a read whose quorum differs', () => {
  it.each([
    ['hangs', null],
    ['always answers after nine seconds', 9_000],
  ])('ends after six seconds where the third endpoint %s, and after the grace the next time', async (_what, third) => {
    const read = differing([0, 100, third]);
    expect(await read()).toEqual({ ms: 6_100, responses: 2 });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await read()).toEqual({ ms: 2_100, responses: 2 });
  });

  it('waits for a third endpoint that is slower than the grace, each time', async () => {
    const read = differing([0, 0, 5_000]);
    for (let times = 0; times < 2; times++) expect(await read()).toEqual({ ms: 5_000, responses: 3 });
  });

  it('waits for two slow ones beside a quick one', async () => {
    expect(await differing([0, 9_000, 9_500])()).toEqual({ ms: 9_500, responses: 3 });
  });
});

it('a confirmed transaction that two endpoints do not have yet alike is asked for again after the prompt wait', async () => {
  const waits: unknown[] = [];
  const quorumReplies = async (_ask: unknown, { isDecided }: { isDecided?: (said: unknown[]) => boolean }) => {
    waits.push(isDecided?.([null]) ?? 'any');
    return [{ ok: true, value: null }];
  };
  expect(await agreedTransaction({ quorum: 2, quorumReplies } as never, 'signature', 'confirmed')).toBeNull();
  expect(waits).toEqual(['any', false]);
});
