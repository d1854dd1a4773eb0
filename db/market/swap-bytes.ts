import bs58 from 'bs58';

export const SIGNATURE_BYTES = 64;
export const WALLET_BYTES = 32;

export function signed<Row extends object>({ signatureBytes, ...row }: Row & { readonly signatureBytes: Buffer }) {
  return { ...row, signature: bs58.encode(signatureBytes) };
}

export function signedBy<Row extends object>(
  row: Row & { readonly signatureBytes: Buffer; readonly walletBytes: Buffer },
) {
  const { walletBytes, ...rest } = signed(row);
  return { ...rest, wallet: bs58.encode(walletBytes) };
}

/** @throws unless it decodes to `length` bytes */
export function bytesOf(base58: string, length: number): Buffer {
  const bytes = bs58.decodeUnsafe(base58);
  if (bytes?.length !== length) throw new Error(`${JSON.stringify(base58)} is not base58 of ${length} bytes`);
  return Buffer.from(bytes);
}
