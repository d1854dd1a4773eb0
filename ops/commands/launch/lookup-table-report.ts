import { PublicKey } from '@solana/web3.js';
import { FIXED_ADDRESSES } from '../../../chain/exchange/raydium/lookup.ts';
import { createTable, extendTable, type TableManager } from '../../../chain/launch/manage-table.ts';
import { exchangeEntries, pairEntries, type TableEntry } from '../../../chain/launch/table-contents.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { NotLandedError } from '../../../chain/transactions/land.ts';
import { type LookupTable, LookupTableError, readLookupTable } from '../../../chain/transactions/lookup-table.ts';
import type { Db } from '../../../db/connect.ts';
import * as pairs from '../../../db/pairs.ts';
import { rpcUrl, treasuryAddress } from '../../service-addresses.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { openPlatformSigner } from '../../signers.ts';

const COMPUTE_UNIT_PRICE = 50_000n;
const POLL_MS = 400;

/** Returns the given address, else LOOKUP_TABLE. Throws an OpsError. */
export function tableAddress({ env }: OpsIo, given: PublicKey | undefined): PublicKey {
  const address = given?.toBase58() ?? env['LOOKUP_TABLE'];
  if (address) return new PublicKey(address);
  throw new OpsError('set LOOKUP_TABLE or give --table; `lookup-table create` makes one');
}

export async function wantedEntries(io: OpsIo, db: Db): Promise<TableEntry[]> {
  const treasury = await treasuryAddress(io);
  const listed = await pairs.list(db, { launchable: true });
  const exchange = exchangeEntries({ kind: 'raydium', lookupAddresses: FIXED_ADDRESSES });
  return [...exchange, ...listed.flatMap((pair) => pairEntries(pair, treasury))];
}

/** Reads a table of any owner and state. Throws an OpsError. */
export async function readTable(io: OpsIo, address: PublicKey): Promise<LookupTable> {
  return explained(async () => {
    const table = await readLookupTable(createRpc({ endpoints: [rpcUrl(io)] }).connection, address);
    if (!table) throw new LookupTableError(address, 'does not exist');
    return table;
  });
}

export async function makeTable(io: OpsIo): Promise<PublicKey> {
  const manager = await managerOf(io);
  const announce = (address: PublicKey) =>
    io.progress?.(`making lookup table ${address.toBase58()}; if this is cut off, go on with \`lookup-table extend\``);
  return explained(() => createTable(manager, announce));
}

export async function fillTable(io: OpsIo, address: PublicKey, wanted: readonly TableEntry[]): Promise<LookupTable> {
  const manager = await managerOf(io);
  const addresses = wanted.map((entry) => entry.address);
  return explained(() => extendTable(manager, address, addresses));
}

async function managerOf(io: OpsIo): Promise<TableManager> {
  const rpc = createRpc({ endpoints: [rpcUrl(io)] });
  const payer = await openPlatformSigner(io);
  return { rpc, connection: rpc.connection, payer, computeUnitPrice: COMPUTE_UNIT_PRICE, pollMs: POLL_MS };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LookupTableError || error instanceof NotLandedError) {
      throw new OpsError(error.message, { cause: error });
    }
    throw error;
  }
}
