import {
  type AccountInfo,
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  type Connection,
  PublicKey,
} from '@solana/web3.js';
import { RpcUnavailableError } from '../rpc/json-rpc.ts';
import type { Rpc } from '../rpc/rpc.ts';

/** Most addresses that one table can hold (`LOOKUP_TABLE_MAX_ADDRESSES` of the program). */
export const MAX_TABLE_ADDRESSES = 256;

/** An address lookup table as the chain shows it. */
export interface LookupTable {
  readonly address: PublicKey;
  /** May add to it and close it; null where nobody can any more. */
  readonly authority: PublicKey | null;
  /** True once it was given up: it works for some minutes more and can then be closed. */
  readonly isDeactivated: boolean;
  /** All addresses it holds, in their order. */
  readonly addresses: readonly PublicKey[];
  /** What a transaction may take from it in the slot it was read at: an address is usable one slot after it was added. */
  readonly usable: AddressLookupTableAccount;
}

/** There is no lookup table that may be used at an address, and why; trying again does not help before somebody changes it. */
export class LookupTableError extends RangeError {
  constructor(address: PublicKey, problem: string) {
    super(`lookup table ${address.toBase58()} ${problem}`);
    this.name = 'LookupTableError';
  }
}

/** The lookup tables that transactions may name, read anew for each. */
export type ReadLookupTables = () => Promise<readonly AddressLookupTableAccount[]>;

/** For an exchange whose transactions fit a packet without a table. */
export const withoutLookupTables: ReadLookupTables = () => Promise.resolve([]);

/** The one table at an address (base58). Its reads throw a LookupTableError when it may not be used (any more). */
export function lookupTablesAt(connection: Connection, address: string): ReadLookupTables {
  const key = new PublicKey(address);
  return async () => [(await readActiveTable(connection, key)).usable];
}

/**
 * The same as a quorum of endpoints has it, which its reads throw a LookupTableError by: launches end by that. They throw an
 * RpcUnavailableError where no quorum has the same table, or one that is younger than what it was extended by; both pass.
 */
export function agreedLookupTablesAt(rpc: Pick<Rpc, 'accountTestimonies'>, address: string): ReadLookupTables {
  const key = new PublicKey(address);
  return async () => {
    const said = await rpc.accountTestimonies([address], 'confirmed');
    const agreed = said.agreedAt(address, (account) => account && { owner: account.owner, data: account.data });
    if (!agreed) throw new RpcUnavailableError(`no quorum of RPC endpoints has the same lookup table ${address}`);
    const { addresses, usable } = activeOf(key, tableOf(key, agreed.value, agreed.slot));
    if (usable.state.addresses.length === addresses.length) return [usable];
    throw new RpcUnavailableError(
      `lookup table ${address} was extended in slot ${agreed.slot}, by a quorum that is no further`,
    );
  };
}

/** Reads a table that transactions may use. Throws a LookupTableError for one that was deactivated, or none at all. */
export async function readActiveTable(connection: Connection, address: PublicKey): Promise<LookupTable> {
  return activeOf(address, await readLookupTable(connection, address));
}

function activeOf(address: PublicKey, table: LookupTable | null): LookupTable {
  if (!table) throw new LookupTableError(address, 'does not exist');
  if (table.isDeactivated) throw new LookupTableError(address, 'was deactivated');
  return table;
}

/** Reads a table at `confirmed`; null where there is no account. Throws a LookupTableError for an account of another kind. */
export async function readLookupTable(connection: Connection, address: PublicKey): Promise<LookupTable | null> {
  const { value, context } = await connection.getAccountInfoAndContext(address, 'confirmed');
  return tableOf(address, value, context.slot);
}

/** What an account shows of a table at a slot. */
function tableOf(
  address: PublicKey,
  account: Pick<AccountInfo<Buffer>, 'owner' | 'data'> | null,
  slot: number,
): LookupTable | null {
  if (!account) return null;
  if (!account.owner.equals(AddressLookupTableProgram.programId)) {
    throw new LookupTableError(address, `belongs to program ${account.owner.toBase58()}`);
  }
  const state = parse(address, account.data);
  const { lastExtendedSlot, lastExtendedSlotStartIndex, addresses } = state;
  const count = slot > lastExtendedSlot ? addresses.length : lastExtendedSlotStartIndex;
  const whole = new AddressLookupTableAccount({ key: address, state });
  return {
    address,
    authority: state.authority ?? null,
    isDeactivated: !whole.isActive(),
    addresses,
    usable: new AddressLookupTableAccount({ key: address, state: { ...state, addresses: addresses.slice(0, count) } }),
  };
}

function parse(address: PublicKey, data: Uint8Array): AddressLookupTableAccount['state'] {
  try {
    return AddressLookupTableAccount.deserialize(data);
  } catch (cause) {
    throw Object.assign(new LookupTableError(address, 'is not initialized'), { cause });
  }
}
