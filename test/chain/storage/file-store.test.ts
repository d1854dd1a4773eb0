import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileStore, readStored } from '../../../chain/storage/file-store.ts';

const bytes = Buffer.from('{"name":"Test"}');
const name = `${createHash('sha256').update(bytes).digest('hex')}.json`;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-store-'));
});
afterAll(() => rm(directory, { recursive: true }));

const storeIn = (folder: string) =>
  createFileStore({ directory: join(directory, folder), siteUrl: 'http://127.0.0.1:8080' });

describe('the local store', () => {
  it('names a file before it is stored, and stores it under that name', async () => {
    const store = storeIn('named');
    const uri = store.uriOf(bytes, 'application/json');
    expect(uri).toBe(`http://127.0.0.1:8080/store/${name}`);
    expect(await store.has(uri)).toBe(false);
    expect(await store.put(bytes, 'application/json')).toBe(uri);
    expect(await store.has(uri)).toBe(true);
  });

  it('gives back what was stored, with its type', async () => {
    await storeIn('read').put(bytes, 'application/json');
    const stored = await readStored(join(directory, 'read'), name);
    expect(stored?.type).toBe('application/json');
    expect(Buffer.from(stored?.bytes ?? []).toString()).toBe(bytes.toString());
  });

  it('keeps one whole file and nothing else after many concurrent puts', async () => {
    const store = storeIn('concurrent');
    await Promise.all(Array.from({ length: 20 }, () => store.put(bytes, 'application/json')));
    expect(await readdir(join(directory, 'concurrent'))).toEqual([name]);
  });

  it('does not serve a damaged file', async () => {
    await storeIn('damaged').put(bytes, 'application/json');
    await truncate(join(directory, 'damaged', name), 3);
    await expect(readStored(join(directory, 'damaged'), name)).rejects.toThrow('damaged');
  });

  it.each(['../../etc/passwd', `${'a'.repeat(64)}`, `${'a'.repeat(64)}.exe`, `${'A'.repeat(64)}.png`, '', `x/${name}`])(
    'has no file named "%s"',
    async (other) => {
      expect(await readStored(directory, other)).toBeNull();
    },
  );

  it('answers null for a name that is not stored', async () => {
    expect(await readStored(directory, `${'0'.repeat(64)}.png`)).toBeNull();
  });

  it('refuses to answer for an address of another store', async () => {
    await expect(storeIn('other').has(`https://arweave.net/${name}`)).rejects.toThrow('not an address of the store');
  });
});
