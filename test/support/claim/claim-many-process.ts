/**
 * A client that claims all of a wallet, as a process that can be killed: it continues what its folder keeps, then claims
 * by `claimMany`. Ends with 0 after a run that found nothing left to claim, else with 2: run it again.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { signerOf } from '../../../client/cli/common.ts';
import { fileStore } from '../../../client/cli/file-store.ts';
import { claimMany, createApi, resumeClaim, type Store } from '../../../client/index.ts';
import { STAND_IN_COLLECTION } from '../../../dev/stand-in/collection.ts';

const [url = '', keypair = '', folder = ''] = process.argv.slice(2);

const common = { api: createApi({ url }), pollMs: 100 };

/** A draft that a kill left has a longer name. */
const KEPT = /^(\w+)\.json$/;

const storeOf = (mint: string): Store => fileStore(join(folder, `${mint}.json`));

const kept = readdirSync(folder).flatMap((name) => KEPT.exec(name)?.[1] ?? []);
await Promise.all(kept.map((mint) => resumeClaim({ ...common, store: storeOf(mint) })));
let isAllClaimed = true;
await claimMany({
  ...common,
  signer: signerOf({ url, keypair }),
  collection: STAND_IN_COLLECTION,
  storeOf,
  onPage: ({ claims, deferred }) => {
    isAllClaimed &&= claims.length + deferred.length === 0;
  },
});
process.exitCode = isAllClaimed ? 0 : 2;
