import { createArweaveStore } from './arweave/arweave-store.ts';
import { createFileStore } from './file-store.ts';
import type { PermanentStore } from './permanent-store.ts';

export type StorageChoice =
  | { readonly kind: 'files'; readonly directory: string }
  | {
      readonly kind: 'arweave';
      readonly bundlerUrl: string;
      readonly gatewayUrl: string;
      /** 32 bytes. */
      readonly secretKey: Uint8Array;
    };

/** Creates the store; `siteUrl` has no trailing slash. Throws a RangeError if URIs do not fit a mint. */
export function createStore(choice: StorageChoice, siteUrl: string): PermanentStore {
  switch (choice.kind) {
    case 'files':
      return createFileStore({ directory: choice.directory, siteUrl });
    case 'arweave':
      return createArweaveStore(choice);
  }
}
