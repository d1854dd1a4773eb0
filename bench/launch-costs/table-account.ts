import { AddressLookupTableProgram, type PublicKey } from '@solana/web3.js';
import { rentLamports, type WrittenAccount } from '../../dev/seed/local-chain.ts';

/** Bytes before a table's addresses (`LOOKUP_TABLE_META_SIZE`). */
const META_BYTES = 56;
const INITIALISED = 1;
const NEVER = 0xffff_ffff_ffff_ffffn;

/**
 * A lookup table of old, with nobody to extend it, to be put on a local chain as it is (layout `ProgramState::LookupTable`).
 * Made by transactions its address would depend on the slot, and the measured figures with it.
 */
export function tableAccount(address: PublicKey, addresses: readonly PublicKey[]): WrittenAccount {
  const head = Buffer.alloc(META_BYTES);
  head.writeUInt32LE(INITIALISED, 0);
  head.writeBigUInt64LE(NEVER, 4);
  const data = Buffer.concat([head, ...addresses.map((each) => each.toBuffer())]);
  return { address, data, lamports: rentLamports(data.length), owner: AddressLookupTableProgram.programId };
}
