import { expect, test } from 'vitest';
import { readRemains } from '../../web/pages/launch/remains.ts';
import { signableUntil } from '../../web/pages/launch/quote-life.ts';
import { type Locks, oneTab } from '../../web/storage/one-tab.ts';
import { mustHaveRoom, signedStore } from '../../web/storage/signed-store.ts';

const KIND = { base: 'slipway:launch', what: 'launch', id: 'paymentSignature' };

const record = (paymentSignature: string, more = {}) => JSON.stringify({ paymentSignature, ...more });

/** What tabs of one browser share. */
function sharedStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    keys: () => [...kept.keys()],
  };
}

test('a tab that hears late how a launch ended does not forget the one that another tab signed after it', async () => {
  const storage = sharedStorage();
  const [early, late] = [signedStore(storage, KIND), signedStore(storage, KIND)];
  await early.save(record('first'));
  await late.load();
  await early.clear();
  await early.save(record('second'));
  await late.clear();
  late.putAside('aside');
  expect(storage.keys()).toEqual(['slipway:launch/second']);
});

test('no tab writes over what another one signed, however close they are', async () => {
  const storage = sharedStorage();
  const [one, other] = [signedStore(storage, KIND), signedStore(storage, KIND)];
  await other.load();
  await one.save(record('first'));
  expect(() => other.save(record('second'))).toThrow('Another launch was signed in this browser.');
  expect(() => other.mustBeAlone()).toThrow('Another launch was signed in this browser.');
  expect([other.isKept(), storage.keys()]).toEqual([true, ['slipway:launch/first']]);
});

test('what is put aside leaves room for the next, and is not lost', async () => {
  const storage = sharedStorage();
  const store = signedStore(storage, KIND);
  await store.save(record('first'));
  store.putAside('aside');
  expect([store.isKept(), storage.getItem('aside')]).toEqual([false, record('first')]);
});

test('what was told and can still land stays where it is, and what has no outcome goes before it', async () => {
  const storage = sharedStorage();
  const store = signedStore(storage, KIND);
  await store.save(record('first'));
  await store.save(record('first', { isTold: true }));
  store.putAside('aside');
  expect([store.isKept(), storage.keys()]).toEqual([false, ['slipway:launch/first']]);
  storage.setItem('slipway:launch/second', record('second'));
  expect(await signedStore(storage, KIND).load()).toBe(record('second'));
});

/** The lock manager of a browser, for all tabs of a test. */
function sharedLocks(): Locks {
  const held = new Set<string>();
  return {
    request: async (name, _options, work) => {
      if (held.has(name)) return work(null);
      held.add(name);
      await work({ name });
      held.delete(name);
    },
  };
}

test('of two tabs that sign at the same moment one is refused, until the other has its outcome', async () => {
  const locks = sharedLocks();
  const [one, other] = [oneTab('slipway:launch', 'a launch', locks), oneTab('slipway:launch', 'a launch', locks)];
  const both = await Promise.allSettled([one.take(), other.take()]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  one.release();
  await Promise.resolve();
  await expect(other.take()).resolves.toBeUndefined();
});

test('a browser without locks signs nothing', async () => {
  await expect(oneTab('slipway:launch', 'a launch', null).take()).rejects.toThrow(/paying twice/);
});

test('a storage without room is told before anything is signed, and one with room is left as it was', () => {
  const storage = sharedStorage();
  mustHaveRoom(storage, 'probe', 100);
  expect(storage.getItem('probe')).toBeNull();
  const full = { ...storage, setItem: () => expect.fail('full') };
  expect(() => mustHaveRoom(full, 'probe', 100)).toThrow('This browser has no room');
});

test.each([
  ['right: until just before it expires', 0, 47_000],
  ['seconds ahead: for less', 4_000, 43_000],
  ['minutes ahead: for a careful guess', 180_000, 37_000],
  ['minutes behind: for a careful guess', -180_000, 37_000],
])('a quote can be signed where the clock is %s', (_, offMs, forMs) => {
  const now = Date.parse('2026-03-05T09:00:00Z');
  const expiresAt = new Date(now + 50_000).toISOString();
  expect(signableUntil(expiresAt, now + offMs) - (now + offMs)).toBe(forMs);
});

test('of a kept launch that is no JSON any more, its payment and token are still found where they are whole', () => {
  const [payment, mint] = ['5'.repeat(88), 'M'.repeat(44)];
  const kept = JSON.stringify({ mint, paymentSignature: payment, signedQuote: 'quote' }).slice(0, -5);
  expect(readRemains(kept)).toEqual({ payment, mint });
  expect(readRemains(kept.slice(0, 100))).toEqual({ payment: null, mint });
  expect(readRemains('')).toEqual({ payment: null, mint: null });
});
