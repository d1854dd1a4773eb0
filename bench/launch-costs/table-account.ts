import { AddressLookupTableProgram, type PublicKey } from '@solana/web3.js';
import { rentLamports, type WrittenAccount } from '../../dev/seed/local-chain.ts';

const META_BYTES = 56;
const INITIALISED = 1;
const NEVER = 0xffff_ffff_ffff_ffffn;

/** `ProgramState::LookupTable`. Made by transactions its address would depend on the slot. */
export function tableAccount(address: PublicKey, addresses: readonly PublicKey[]): WrittenAccount {
  const head = Buffer.alloc(META_BYTES);
  head.writeUInt32LE(INITIALISED, 0);
  head.writeBigUInt64LE(NEVER, 4);
  const data = Buffer.concat([head, ...addresses.map((each) => each.toBuffer())]);
  return { address, data, lamports: rentLamports(data.length), owner: AddressLookupTableProgram.programId };
}
