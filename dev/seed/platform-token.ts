import { Connection } from '@solana/web3.js';
import { deriveLaunchAddresses, type KeyContext, type LaunchSeed } from '../../chain/keys/launch-keys.ts';
import { searchMint } from '../../chain/keys/mint-search.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import * as tokens from '../../db/tokens.ts';

/** The search runs while the stack starts: two letters take a second, three a minute. */
const MOST_LETTERS = 2;

export interface PlatformTokenOptions {
  readonly rpcUrl: string;
  readonly databaseUrl: string;
  readonly environment: string;
  readonly seed: LaunchSeed;
  /** Of mint addresses (LAUNCH_MINT_SUFFIX); empty: none. */
  readonly mintSuffix: string;
}

const quoteIdOf = (last: string) => `00000000-0000-4000-8000-${last}`;

/** Counts up, so that the addresses are known before the launch. */
function quoteIds(): () => string {
  let count = 0;
  return () => quoteIdOf(String(++count).padStart(12, '0'));
}

/** A fresh stack's first prepared launch; undefined for a kept stack without it. */
export async function platformTokenOf(options: PlatformTokenOptions): Promise<string | undefined> {
  const { rpcUrl, databaseUrl, environment, seed, mintSuffix } = options;
  const db = connect(databaseUrl, { applicationName: 'slipway-seed', maxConnections: 1 });
  try {
    if (!(await isFresh(db, seed))) return await keptToken(db);
    const context = { genesisHash: await new Connection(rpcUrl).getGenesisHash(), environment };
    const row = platformTokenRow(seed, context, mintSuffix);
    await launchAddresses.addFree(db, [row], mintSuffix || null);
    return row.addresses.mint;
  } finally {
    await db.destroy();
  }
}

/** Found by its quote id: the earlier run may have had another suffix. */
async function keptToken(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('launchAddresses')
    .innerJoin('tokens', 'tokens.mint', 'launchAddresses.mint')
    .select('tokens.mint')
    .where('launchAddresses.quoteId', '>=', quoteIdOf('000000000000'))
    .where('launchAddresses.quoteId', '<=', quoteIdOf('999999999999'))
    .executeTakeFirst();
  return row?.mint;
}

function platformTokenRow(seed: LaunchSeed, context: KeyContext, suffix: string): launchAddresses.DerivedAddresses {
  if (suffix.length > MOST_LETTERS) {
    throw new Error(`LAUNCH_MINT_SUFFIX is "${suffix}"; the local stack takes at most ${MOST_LETTERS} letters`);
  }
  const quoteId = searchMint({ secret: seed.secret, context, suffix }, () => false, quoteIds());
  if (quoteId === null) throw new Error('the search for the platform token ended without an address');
  return { quoteId, seedId: seed.id, ...context, addresses: deriveLaunchAddresses(seed, context, quoteId) };
}

/** True before a worker fills the pool; the platform token must be taken first. */
async function isFresh(db: Db, { id }: LaunchSeed): Promise<boolean> {
  return (await launchAddresses.countFree(db, id)) === 0 && (await tokens.assetIndex(db, ONE)).tokens.length === 0;
}

const ONE = { limit: 1, offset: 0, order: 'oldest' } as const;
