import { setTimeout as sleep } from 'node:timers/promises';
import { AddressLookupTableProgram, type Connection, type PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { type Lander, land } from '../transactions/land.ts';
import {
  type LookupTable,
  LookupTableError,
  MAX_TABLE_ADDRESSES,
  readActiveTable,
} from '../transactions/lookup-table.ts';

export interface TableManager extends Lander {
  readonly connection: Connection;
}

/** 32 bytes each, plus about 250. */
const ADDRESSES_PER_TRANSACTION = 25;
// Measured: 12,000 to create, 8,000 for 25 addresses.
const COMPUTE_UNITS = 60_000;

/**
 * Creates a table that only the payer can extend. `announce` runs before sending: after any failure the table can be
 * found and filled.
 */
export async function createTable(manager: TableManager, announce: (address: PublicKey) => void): Promise<PublicKey> {
  const authority = manager.payer.publicKey;
  // The program wants a slot that no fork can undo; the address derives from it.
  const { slot: recentSlot } = await manager.rpc.agreedHead('finalized');
  const parties = { authority, payer: authority, recentSlot };
  const [create, address] = AddressLookupTableProgram.createLookupTable(parties);
  announce(address);
  await land(manager, [create], COMPUTE_UNITS);
  return address;
}

/** Waits until they are usable. Repeatable. Throws a LookupTableError if the table is foreign, deactivated or full. */
export async function extendTable(
  manager: TableManager,
  address: PublicKey,
  wanted: readonly PublicKey[],
): Promise<LookupTable> {
  const authority = manager.payer.publicKey;
  const missing = missingIn(await readOwnTable(manager.connection, address, authority), wanted);
  for (const addresses of batchesOf(missing, ADDRESSES_PER_TRANSACTION)) {
    const parties = { lookupTable: address, authority, payer: authority, addresses };
    await land(manager, [AddressLookupTableProgram.extendLookupTable(parties)], COMPUTE_UNITS);
  }
  return untilUsable(manager, address);
}

/** Throws a LookupTableError unless `owner` may extend it. */
export async function readOwnTable(connection: Connection, address: PublicKey, owner: PublicKey): Promise<LookupTable> {
  const table = await readActiveTable(connection, address);
  if (table.authority?.equals(owner)) return table;
  const authority = table.authority?.toBase58() ?? 'nobody';
  throw new LookupTableError(address, `belongs to ${authority}, not to the platform wallet ${owner.toBase58()}`);
}

function missingIn({ address, addresses }: LookupTable, wanted: readonly PublicKey[]): PublicKey[] {
  const held = new Set(addresses.map((each) => each.toBase58()));
  const missing = [...new Map(wanted.map((each) => [each.toBase58(), each]))].filter(([text]) => !held.has(text));
  if (addresses.length + missing.length <= MAX_TABLE_ADDRESSES) return missing.map(([, each]) => each);
  throw new LookupTableError(
    address,
    `holds ${addresses.length} addresses; another ${missing.length} do not fit the ${MAX_TABLE_ADDRESSES} it can hold`,
  );
}

/** Waits until the new addresses are usable, a slot after they were added. */
async function untilUsable({ connection, pollMs }: TableManager, address: PublicKey): Promise<LookupTable> {
  for (;;) {
    const table = await readActiveTable(connection, address);
    if (table.usable.state.addresses.length === table.addresses.length) return table;
    await sleep(pollMs);
  }
}
