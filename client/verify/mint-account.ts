import { readUint, toBase58 } from '../solana/bytes.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana/programs.ts';
import type { AccountState } from './chain.ts';

/** A mint (spl-token, state.rs; Token-2022 extensions, transfer_fee/mod.rs and token-metadata state.rs). */
export interface MintAccount {
  readonly program: string;
  /** May mint more. */
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  /** Raw units. */
  readonly supplyRaw: bigint;
  readonly decimals: number;
  /** Null without a transfer fee. */
  readonly transferFee: TransferFee | null;
  /** Types of its extensions, by number. */
  readonly extensions: readonly number[];
  /** May change the metadata in the mint, or point to others. */
  readonly metadataAuthorities: readonly string[];
  /** Account that the mint names as that of its metadata; null: none. */
  readonly metadataAddress: string | null;
}

export interface TransferFee {
  /** May change the fee. */
  readonly authority: string | null;
  readonly withdrawAuthority: string | null;
  /** Fee until and from the newer one's epoch. */
  readonly older: FeeRate;
  readonly newer: FeeRate;
}

export interface FeeRate {
  readonly mostRaw: bigint;
  readonly bps: number;
}

const MINT_BYTES = 82;
/** Offset of the first extension: behind the account type, which is at the length of a token account. */
const EXTENSIONS_AT = 166;
/** Types of the extensions that a launched mint may have. */
export const [TRANSFER_FEE, METADATA_POINTER, METADATA] = [1, 18, 19];
const TRANSFER_FEE_BYTES = 108;

/** Reads a mint; null where the account is none. */
export function readMint({ program, data }: AccountState): MintAccount | null {
  const isMint = data.length === MINT_BYTES || (data.length > EXTENSIONS_AT && data[EXTENSIONS_AT - 1] === 1);
  if ((program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) || !isMint) return null;
  const optional = (at: number) => (readUint(data, at, 4) === 0n ? null : addressAt(data, at + 4));
  const extensions = extensionsOf(data);
  const fee = extensions.get(TRANSFER_FEE);
  const pointer = extensions.get(METADATA_POINTER);
  const describing = [METADATA_POINTER, METADATA].flatMap((type) => extensions.get(type) ?? []);
  return {
    program,
    mintAuthority: optional(0),
    supplyRaw: readUint(data, 36, 8),
    decimals: Number(readUint(data, 44, 1)),
    freezeAuthority: optional(46),
    transferFee: fee?.length === TRANSFER_FEE_BYTES ? transferFeeOf(fee) : null,
    extensions: [...extensions.keys()],
    metadataAddress: pointer ? orNone(addressAt(pointer, 32)) : null,
    metadataAuthorities: describing.flatMap((extension) => orNone(addressAt(extension, 0)) ?? []),
  };
}

function extensionsOf(data: Uint8Array): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  for (let at = EXTENSIONS_AT; at + 4 <= data.length;) {
    const [type, length] = [Number(readUint(data, at, 2)), Number(readUint(data, at + 2, 2))];
    if (type === 0) break;
    found.set(type, data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

function transferFeeOf(data: Uint8Array): TransferFee {
  const rate = (at: number) => ({ mostRaw: readUint(data, at + 8, 8), bps: Number(readUint(data, at + 16, 2)) });
  return {
    authority: orNone(addressAt(data, 0)),
    withdrawAuthority: orNone(addressAt(data, 32)),
    older: rate(72),
    newer: rate(90),
  };
}

function addressAt(data: Uint8Array, at: number): string {
  return toBase58(data.subarray(at, at + 32));
}

/** An optional address without a value is 32 zeros. */
const NONE = toBase58(new Uint8Array(32));

function orNone(address: string): string | null {
  return address === NONE ? null : address;
}

/**
 * Returns the tax that a transfer of so many raw units withholds: rounded up, bounded (transfer_fee/mod.rs,
 * `calculate_fee`).
 */
export function feeOf(raw: bigint, { bps, mostRaw }: FeeRate): bigint {
  const fee = (raw * BigInt(bps) + 9_999n) / 10_000n;
  return fee < mostRaw ? fee : mostRaw;
}
