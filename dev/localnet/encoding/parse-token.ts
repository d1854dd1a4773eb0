import { type Account, type Address, TOKEN_PROGRAM } from '../ledger/account.ts';
import { ByteReader } from '../ledger/byte-reader.ts';
import { isTokenAccountData, MINT_BYTES, mintDecimals, TOKEN_ACCOUNT_BYTES } from '../ledger/token-balance.ts';
import { toBase58 } from './base58.ts';
import { parseExtensions } from './parse-extensions.ts';
import type { ParsedData } from './parsed-data.ts';
import { uiTokenAmount } from './token-amount.ts';

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'];

function readKey(reader: ByteReader): Address {
  return toBase58(reader.take(32));
}

/** `COption`: a u32 tag, then the value's bytes even if unset. */
function readOption<T>(reader: ByteReader, read: (reader: ByteReader) => T): T | null {
  const isSet = reader.u32() === 1;
  const value = read(reader);
  return isSet ? value : null;
}

export function readTokenAccount(data: Uint8Array) {
  const reader = new ByteReader(data);
  return {
    mint: readKey(reader),
    owner: readKey(reader),
    amount: reader.u64(),
    delegate: readOption(reader, readKey),
    state: ACCOUNT_STATES[reader.u8()] ?? 'uninitialized',
    nativeReserve: readOption(reader, (from) => from.u64()),
    delegatedAmount: reader.u64(),
    closeAuthority: readOption(reader, readKey),
  };
}

export function readMint(data: Uint8Array) {
  const reader = new ByteReader(data);
  return {
    mintAuthority: readOption(reader, readKey),
    supply: reader.u64(),
    decimals: reader.u8(),
    isInitialized: reader.u8() === 1,
    freezeAuthority: readOption(reader, readKey),
  };
}

function tokenAccountInfo(data: Uint8Array, decimals: number): Record<string, unknown> {
  const account = readTokenAccount(data);
  const extensions = parseExtensions(data);
  return {
    ...(account.closeAuthority && { closeAuthority: account.closeAuthority }),
    ...(account.delegate && { delegate: account.delegate }),
    ...(account.delegate && { delegatedAmount: uiTokenAmount(account.delegatedAmount, decimals) }),
    ...(extensions.length > 0 && { extensions }),
    isNative: account.nativeReserve !== null,
    mint: account.mint,
    owner: account.owner,
    ...(account.nativeReserve !== null && { rentExemptReserve: uiTokenAmount(account.nativeReserve, decimals) }),
    state: account.state,
    tokenAmount: uiTokenAmount(account.amount, decimals),
  };
}

function mintInfo(data: Uint8Array): Record<string, unknown> {
  const { decimals, freezeAuthority, isInitialized, mintAuthority, supply } = readMint(data);
  const extensions = parseExtensions(data);
  const base = { decimals, freezeAuthority, isInitialized, mintAuthority, supply: supply.toString() };
  return extensions.length > 0 ? { ...base, extensions } : base;
}

/** True by length, or by the account type byte after the padding. */
function isMintData(data: Uint8Array): boolean {
  return data.length === MINT_BYTES || (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === 1);
}

/** Null for neither. */
export function parseTokenProgramAccount(
  account: Account,
  findMint: (mint: Address) => Account | null,
): ParsedData | null {
  const { data, owner } = account;
  const program = owner === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022';
  if (isMintData(data)) return { program, parsed: { type: 'mint', info: mintInfo(data) }, space: data.length };
  if (!isTokenAccountData(data)) return null;
  const decimals = mintDecimals(findMint(toBase58(data.subarray(0, 32))));
  if (decimals === null) return null;
  return { program, parsed: { type: 'account', info: tokenAccountInfo(data, decimals) }, space: data.length };
}
