import { Connection } from '@solana/web3.js';
import { deriveLaunchAddresses, type LaunchSeed } from '../../chain/keys/launch-keys.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import * as tokens from '../../db/tokens.ts';

/** The quote id of the local platform token's launch: its addresses follow from it, before the launch is prepared. */
const QUOTE_ID = '00000000-0000-4000-8000-000000000001';

/** What the addresses of a launch on a local stack follow from, and where they are kept. */
export interface PlatformTokenGround {
  readonly rpcUrl: string;
  /** A migrated database. */
  readonly databaseUrl: string;
  readonly environment: string;
  readonly seed: LaunchSeed;
}

/**
 * The mint of a local stack's own platform token. On a fresh stack the first launch that is prepared gets it; a kept stack has it
 * where it was launched. Undefined for a kept stack without.
 */
export async function platformTokenOf({ rpcUrl, databaseUrl, environment, seed }: PlatformTokenGround) {
  const genesisHash = await new Connection(rpcUrl).getGenesisHash();
  const addresses = deriveLaunchAddresses(seed, { genesisHash, environment }, QUOTE_ID);
  const db = connect(databaseUrl, { applicationName: 'slipway-seed', maxConnections: 1 });
  try {
    if (await isFresh(db, seed)) {
      await launchAddresses.addFree(db, [{ quoteId: QUOTE_ID, seedId: seed.id, genesisHash, addresses }]);
      return addresses.mint;
    }
    return (await tokens.byMint(db, addresses.mint))?.mint;
  } finally {
    await db.destroy();
  }
}

/** Before the first worker has filled the pool, so that these addresses are the first to be taken. */
async function isFresh(db: Db, { id }: LaunchSeed): Promise<boolean> {
  return (await launchAddresses.countFree(db, id)) === 0 && (await tokens.assetIndex(db, ONE)).tokens.length === 0;
}

const ONE = { limit: 1, offset: 0, order: 'oldest' } as const;
