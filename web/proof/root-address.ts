import { toBase58 } from '../../client/solana/bytes.ts';

/** A seal names its root as an account: an explorer finds the seal under this address. Throws unless 32 bytes in hex. */
export function addressOfRoot(root: string): string {
  if (!/^[0-9a-f]{64}$/.test(root)) throw new RangeError(`"${root}" is no root`);
  return toBase58(Uint8Array.from(root.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
}
