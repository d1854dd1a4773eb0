import type { Address } from './account.ts';
import type { WireMessage } from './wire-transaction.ts';

export interface LoadedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

export const NO_LOADED_ADDRESSES: LoadedAddresses = { writable: [], readonly: [] };

/** Cannot be locked for writing. */
const RESERVED = new Set<Address>([
  '11111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'NativeLoader1111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
  'Sysvar1111111111111111111111111111111111111',
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarFees111111111111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarLastRestartS1ot1111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarRewards111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarS1otHistory11111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
]);

export function accountKeys(message: WireMessage, loaded: LoadedAddresses): readonly Address[] {
  if (message.lookups.length === 0) return message.staticKeys;
  return [...message.staticKeys, ...loaded.writable, ...loaded.readonly];
}

export function isSigner(message: WireMessage, index: number): boolean {
  return index < message.header.numRequiredSignatures;
}

function headerAllowsWrite({ header, staticKeys }: WireMessage, loadedWritable: number, index: number): boolean {
  if (index >= staticKeys.length) return index < staticKeys.length + loadedWritable;
  if (index < header.numRequiredSignatures) {
    return index < header.numRequiredSignatures - header.numReadonlySignedAccounts;
  }
  return index < staticKeys.length - header.numReadonlyUnsignedAccounts;
}

export function isWritable(message: WireMessage, loaded: LoadedAddresses, index: number): boolean {
  if (!headerAllowsWrite(message, loaded.writable.length, index)) return false;
  const key = message.staticKeys[index] ?? loaded.writable[index - message.staticKeys.length];
  if (key !== undefined && RESERVED.has(key)) return false;
  return !message.instructions.some((instruction) => instruction.programIdIndex === index);
}
