import { tmpdir } from 'node:os';
import { assertStoreReached, freeShareOf } from '../../../../chain/storage/reach-store.ts';
import { errorText } from '../../../../domain/error-text.ts';
import type { Watched } from './watched.ts';

/** Least free share, as in the alert SlipwayDiskFull. */
const LEAST_FREE = 0.1;

const TIMEOUT_MS = 3_000;

/** Checks temporary files, and the store if it is a directory. */
export async function watchDisks(storeDirectory: string | undefined): Promise<Watched[]> {
  const disks = [{ name: 'temporary files', path: tmpdir() }];
  if (storeDirectory === undefined) return watchFree(disks);
  const store = await watchStore(storeDirectory);
  const isThere = store.remedy === null;
  return [store, ...(await watchFree(isThere ? [...disks, { name: 'storage', path: storeDirectory }] : disks))];
}

async function watchStore(directory: string): Promise<Watched> {
  try {
    await assertStoreReached({ kind: 'files', directory }, TIMEOUT_MS);
    return { subject: 'storage', what: 'STORE_DIR takes files', remedy: null };
  } catch (error) {
    const what = `STORE_DIR takes no file: ${errorText(error)}`;
    return {
      subject: 'storage',
      what,
      remedy: `mount ${directory} again, let the service write there, or make room: df -h ${directory}`,
    };
  }
}

function watchFree(disks: readonly { readonly name: string; readonly path: string }[]): Promise<Watched[]> {
  return Promise.all(
    disks.map(async ({ name, path }): Promise<Watched> => {
      const free = await freeShareOf(path);
      const what = `${Math.round(free * 100)} % of the disk for ${name} (${path}) is free`;
      return { subject: 'disk', what, remedy: free < LEAST_FREE ? `make room: df -h ${path}` : null };
    }),
  );
}
