import { createArweaveStore } from './arweave/arweave-store.ts';
import { createFileStore } from './file-store.ts';
import type { PermanentStore } from './permanent-store.ts';

/** Which permanent store, and what it needs. */
export type StorageChoice =
  | { readonly kind: 'files'; readonly directory: string }
  | {
      readonly kind: 'arweave';
      readonly bundlerUrl: string;
      readonly gatewayUrl: string;
      /** 32 bytes. */
      readonly secretKey: Uint8Array;
    };

/** The configured store. Throws a RangeError when its links would be too long for a mint. `siteUrl` without a trailing slash. */
export function createStore(choice: StorageChoice, siteUrl: string): PermanentStore {
  switch (choice.kind) {
    case 'files':
      return createFileStore({ directory: choice.directory, siteUrl });
    case 'arweave':
      return createArweaveStore(choice);
  }
}
