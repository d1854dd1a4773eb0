import { toBase58 } from '../encoding/base58.ts';
import type { TransactionError } from '../engine/transaction-error.ts';
import { type Account, type Address, LOOKUP_TABLE_PROGRAM } from './account.ts';
import { ByteReader } from './byte-reader.ts';
import { type LoadedAddresses, NO_LOADED_ADDRESSES } from './message-keys.ts';
import type { WireMessage } from './wire-transaction.ts';

const META_BYTES = 56;
const NEVER = 0xffff_ffff_ffff_ffffn;

export interface LookupTable {
  readonly deactivationSlot: bigint;
  readonly lastExtendedSlot: bigint;
  readonly lastExtendedStartIndex: number;
  readonly authority: Address | null;
  readonly addresses: readonly Address[];
}

export interface LookupContext {
  readonly slot: number;
  readonly read: (address: Address) => Account | null;
  readonly isRecentSlot: (slot: bigint) => boolean;
}

/** Null if not initialised. */
export function parseLookupTable(data: Uint8Array): LookupTable | null {
  if (data.length < META_BYTES || (data.length - META_BYTES) % 32 !== 0) return null;
  const reader = new ByteReader(data);
  if (reader.u32() !== 1) return null;
  const [deactivationSlot, lastExtendedSlot, lastExtendedStartIndex] = [reader.u64(), reader.u64(), reader.u8()];
  const hasAuthority = reader.u8() === 1;
  const authority = toBase58(reader.take(32));
  const body = new ByteReader(data.subarray(META_BYTES));
  const addresses = Array.from({ length: body.remaining / 32 }, () => toBase58(body.take(32)));
  return {
    deactivationSlot,
    lastExtendedSlot,
    lastExtendedStartIndex,
    authority: hasAuthority ? authority : null,
    addresses,
  };
}

/** New addresses are usable from the next slot on. */
function activeLength(table: LookupTable, slot: number): number {
  return BigInt(slot) > table.lastExtendedSlot ? table.addresses.length : table.lastExtendedStartIndex;
}

function isGone(table: LookupTable, context: LookupContext): boolean {
  if (table.deactivationSlot === NEVER || table.deactivationSlot === BigInt(context.slot)) return false;
  return !context.isRecentSlot(table.deactivationSlot);
}

function loadTable(address: Address, context: LookupContext): LookupTable | TransactionError {
  const account = context.read(address);
  if (!account) return 'AddressLookupTableNotFound';
  if (account.owner !== LOOKUP_TABLE_PROGRAM) return 'InvalidAddressLookupTableOwner';
  const table = parseLookupTable(account.data);
  if (!table) return 'InvalidAddressLookupTableData';
  return isGone(table, context) ? 'AddressLookupTableNotFound' : table;
}

export function resolveLookups(
  message: WireMessage,
  context: LookupContext,
): { readonly loaded: LoadedAddresses } | { readonly err: TransactionError } {
  if (message.lookups.length === 0) return { loaded: NO_LOADED_ADDRESSES };
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const lookup of message.lookups) {
    const table = loadTable(lookup.table, context);
    if (typeof table === 'string' || !('addresses' in table)) return { err: table };
    const usable = table.addresses.slice(0, activeLength(table, context.slot));
    for (const [indexes, into] of [[lookup.writable, writable] as const, [lookup.readonly, readonly] as const]) {
      for (const index of indexes) {
        const address = usable[index];
        if (address === undefined) return { err: 'InvalidAddressLookupTableIndex' };
        into.push(address);
      }
    }
  }
  return { loaded: { writable, readonly } };
}
