import {
  type AccountInfo,
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  type Connection,
  PublicKey,
} from '@solana/web3.js';
import type { AccountsByEndpoint } from '../rpc/agreed-accounts.ts';
import { RpcUnavailableError } from '../rpc/json-rpc.ts';

/** The program's `LOOKUP_TABLE_MAX_ADDRESSES`. */
export const MAX_TABLE_ADDRESSES = 256;

export interface LookupTable {
  readonly address: PublicKey;
  /** Null: frozen. */
  readonly authority: PublicKey | null;
  /** A deactivated table works for some minutes more; then it can be closed. */
  readonly isDeactivated: boolean;
  /** In order. */
  readonly addresses: readonly PublicKey[];
  /** The table with the addresses that work at the slot of the read: from one slot after they were added. */
  readonly usable: AddressLookupTableAccount;
}

/** The table cannot be used. A retry does not help until it changes. */
export class LookupTableError extends RangeError {
  constructor(address: PublicKey, problem: string) {
    super(`lookup table ${address.toBase58()} ${problem}`);
    this.name = 'LookupTableError';
  }
}

/** An agreed table; not exported, so that only {@link agreedLookupTablesAt} creates one. */
class AgreedTable extends AddressLookupTableAccount {
  readonly #slot: number;

  constructor({ key, state }: AddressLookupTableAccount, slot: number) {
    super({ key, state });
    this.#slot = slot;
  }

  /** Slot that a quorum of the agreeing endpoints has reached. */
  get agreedSlot(): number {
    return this.#slot;
  }
}

/**
 * A table that a quorum agrees on. Transactions compile with these alone. An agreed table stays correct: entries are
 * only added, and the address of a closed table is never used again.
 */
export type AgreedLookupTable = AgreedTable;

/** Reads the tables, again for each transaction. */
export type ReadLookupTables = () => Promise<readonly AgreedLookupTable[]>;

export const withoutLookupTables: ReadLookupTables = () => Promise.resolve([]);

export interface LookupTableRpc {
  accountsByEndpoint(
    addresses: readonly string[],
    commitment: 'confirmed',
  ): Promise<Pick<AccountsByEndpoint, 'agreedAt'>>;
}

/**
 * Reads tables (base58) with one call per endpoint. Throws a LookupTableError for an unusable table, which ends the
 * launch or purchase; an RpcUnavailableError if no quorum agrees or has passed the last extension.
 */
export function agreedLookupTablesAt(rpc: LookupTableRpc, addresses: readonly string[]): ReadLookupTables {
  return async () => {
    if (addresses.length === 0) return [];
    const said = await rpc.accountsByEndpoint(addresses, 'confirmed');
    return addresses.map((address) => agreedTable(said, address));
  };
}

function agreedTable(said: Pick<AccountsByEndpoint, 'agreedAt'>, address: string): AgreedLookupTable {
  const key = new PublicKey(address);
  const agreed = said.agreedAt(address, (account) => account && { owner: account.owner, data: account.data });
  if (!agreed) throw new RpcUnavailableError(`no quorum of RPC endpoints has the same lookup table ${address}`);
  const { addresses, usable } = activeOf(key, tableOf(key, agreed.value, agreed.slot));
  if (usable.state.addresses.length === addresses.length) return new AgreedTable(usable, agreed.slot);
  throw new RpcUnavailableError(
    `lookup table ${address} was extended in slot ${agreed.slot}, by a quorum that is no further`,
  );
}

/** Throws a LookupTableError. */
export async function readActiveTable(connection: Connection, address: PublicKey): Promise<LookupTable> {
  return activeOf(address, await readLookupTable(connection, address));
}

function activeOf(address: PublicKey, table: LookupTable | null): LookupTable {
  if (!table) throw new LookupTableError(address, 'does not exist');
  if (table.isDeactivated) throw new LookupTableError(address, 'was deactivated');
  return table;
}

/** Reads a table at `confirmed`. Throws a LookupTableError for another kind of account. */
export async function readLookupTable(connection: Connection, address: PublicKey): Promise<LookupTable | null> {
  const { value, context } = await connection.getAccountInfoAndContext(address, 'confirmed');
  return tableOf(address, value, context.slot);
}

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
