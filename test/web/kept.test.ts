import { expect, test } from 'vitest';
import { remainsIn } from '../../web/pages/launch/remains.ts';
import { signableUntil } from '../../web/pages/launch/quote-life.ts';
import { mustHaveRoom, signedStore } from '../../web/storage/signed-store.ts';

const KEY = 'launch';

/** What tabs of one browser share. */
function sharedStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('a tab that hears late how a launch ended does not forget the one that another tab signed after it', async () => {
  const storage = sharedStorage();
  const [early, late] = [signedStore(storage, KEY, 'launch'), signedStore(storage, KEY, 'launch')];
  await early.save('first');
  await late.load();
  await early.clear();
  await early.save('second');
  await late.clear();
  late.putAside('aside');
  expect(storage.getItem(KEY)).toBe('second');
  expect(storage.getItem('aside')).toBeNull();
});

test('no tab saves over what another one signed', async () => {
  const storage = sharedStorage();
  const [one, other] = [signedStore(storage, KEY, 'launch'), signedStore(storage, KEY, 'launch')];
  await other.load();
  await one.save('first');
  expect(() => other.save('second')).toThrow('Another launch was signed in this browser.');
  expect(other.isKept()).toBe(true);
  expect(storage.getItem(KEY)).toBe('first');
});

test('what is put aside leaves room for the next, and is not lost', async () => {
  const storage = sharedStorage();
  const store = signedStore(storage, KEY, 'launch');
  await store.save('first');
  store.putAside('aside');
  expect([store.isKept(), storage.getItem('aside')]).toEqual([false, 'first']);
});

test('a storage without room is told before anything is signed, and one with room is left as it was', () => {
  const storage = sharedStorage();
  mustHaveRoom(storage, 'probe', 100);
  expect(storage.getItem('probe')).toBeNull();
  const full = { ...storage, setItem: () => expect.fail('full') };
  expect(() => mustHaveRoom(full, 'probe', 100)).toThrow('This browser has no room');
});

test.each([
  ['right', 0],
  ['minutes ahead', 180_000],
  ['minutes behind', -180_000],
])('a quote can be signed for most of its minute where the clock is %s', (_, offMs) => {
  const now = Date.parse('2026-03-05T09:00:00Z');
  const expiresAt = new Date(now + 60_000).toISOString();
  expect(signableUntil(expiresAt, now + offMs) - (now + offMs)).toBe(44_000);
});

test('of a kept launch that is no JSON any more, its payment and token are still found where they are whole', () => {
  const [payment, mint] = ['5'.repeat(88), 'M'.repeat(44)];
  const kept = JSON.stringify({ mint, paymentSignature: payment, signedQuote: 'quote' }).slice(0, -5);
  expect(remainsIn(kept)).toEqual({ payment, mint });
  expect(remainsIn(kept.slice(0, 100))).toEqual({ payment: null, mint });
  expect(remainsIn('')).toEqual({ payment: null, mint: null });
});
