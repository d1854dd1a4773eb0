import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { randomBytes } from 'node:crypto';
import type { Localnet } from '../../../dev/localnet/index.ts';

/** Holders that every client lists. */
export const HOLDERS = 6_000;

/** Puts 6,000 token accounts of a mint that only they know on the chain; returns the mint. */
export function seedHolders(chain: Localnet): string {
  const mint = randomBytes(32);
  const owner = TOKEN_PROGRAM_ID.toBase58();
  const accounts = Array.from({ length: HOLDERS }, (_, index) => {
    const data = Buffer.alloc(165);
    data.set(mint, 0);
    data.set(randomBytes(32), 32);
    data.writeBigUInt64LE(BigInt(index + 1), 64);
    data[108] = 1;
    const address = new PublicKey(randomBytes(32)).toBase58();
    return [address, { lamports: 2_039_280n, data, owner, executable: false }] as const;
  });
  chain.control.setAccounts(accounts);
  return new PublicKey(mint).toBase58();
}
