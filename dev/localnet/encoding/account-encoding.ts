import { zstdCompressSync } from 'node:zlib';
import { type Account, type Address, RENT_EPOCH } from '../ledger/account.ts';
import { RPC_ERRORS, RpcError } from '../rpc/rpc-error.ts';
import { toBase58 } from './base58.ts';
import { parseAccount } from './parse-account.ts';

export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed';

export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

export interface AccountFormat {
  readonly encoding?: AccountEncoding | null | undefined;
  readonly dataSlice?: DataSlice | null | undefined;
}

/** Data that a node encodes in base58. */
const MAX_BASE58_BYTES = 128;

function base58Data(data: Uint8Array): string {
  if (data.length > MAX_BASE58_BYTES) {
    const message = 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.';
    throw new RpcError(RPC_ERRORS.invalidRequest, message);
  }
  return toBase58(data);
}

function encodeData(account: Account, format: AccountFormat, parsed: () => unknown): unknown {
  const encoding = format.encoding ?? 'binary';
  const slice = format.dataSlice;
  const data = slice ? account.data.subarray(slice.offset, slice.offset + slice.length) : account.data;
  const base64 = (): string => Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64');
  switch (encoding) {
    case 'binary':
      return base58Data(data);
    case 'base58':
      return [base58Data(data), 'base58'];
    case 'base64':
      return [base64(), 'base64'];
    case 'base64+zstd':
      return [zstdCompressSync(data).toString('base64'), 'base64+zstd'];
    case 'jsonParsed':
      return parsed() ?? [base64(), 'base64'];
  }
}

/**
 * Encodes as `UiAccount`.
 *
 * @param readMint decimals of a parsed token account
 */
export function encodeAccount(
  account: Account,
  format: AccountFormat,
  readMint: (mint: Address) => Account | null,
): Record<string, unknown> {
  return {
    data: encodeData(account, format, () => parseAccount(account, readMint)),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.owner,
    rentEpoch: RENT_EPOCH,
    space: account.data.length,
  };
}
