import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { PoolAccounts } from '../../../../chain/exchange/raydium/pool-accounts.ts';

export const CLMM = new PublicKey('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK');
export const LOCK = new PublicKey('LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE');
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const METADATA = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
export const SYSTEM = '11111111111111111111111111111111';
export const RENT = 'SysvarRent111111111111111111111111111111111';

/** An address for a test: 32 times the same byte. */
export function key(byte: number): PublicKey {
  return new PublicKey(new Uint8Array(32).fill(byte));
}

/** A program's address derived from text and other seeds, by the seeds that its interface publishes. */
export function pda(program: PublicKey, ...seeds: (string | PublicKey | number)[]): string {
  return PublicKey.findProgramAddressSync(seeds.map(seedOf), program)[0].toBase58();
}

/** The associated token account by its own derivation. */
export function associated(owner: PublicKey, tokenProgram: string, mint: PublicKey): string {
  const seeds = [owner, new PublicKey(tokenProgram), mint].map(seedOf);
  return PublicKey.findProgramAddressSync(seeds, new PublicKey(ASSOCIATED))[0].toBase58();
}

/** Numbers among seeds are ticks: four bytes, big-endian. */
function seedOf(seed: string | PublicKey | number): Uint8Array {
  if (typeof seed === 'string') return Buffer.from(seed);
  if (seed instanceof PublicKey) return seed.toBytes();
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(seed);
  return bytes;
}

/** An instruction as a list to compare: its program, its data in hex, and each account with `s` (signs) and `w` (writes). */
export function goldenOf({ programId, data, keys }: TransactionInstruction) {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => {
    const flags = `${isSigner ? 's' : '-'}${isWritable ? 'w' : '-'}`;
    return `${flags} ${pubkey.toBase58()}`;
  });
  return { program: programId.toBase58(), data: data.toString('hex'), accounts };
}

/** A pool whose token0 is classic and whose token1 is Token-2022. */
export const POOL: PoolAccounts = {
  address: key(1),
  ammConfig: key(2),
  token0: { mint: key(3), tokenProgram: new PublicKey(TOKEN) },
  token1: { mint: key(4), tokenProgram: new PublicKey(TOKEN_2022) },
  vault0: key(5),
  vault1: key(6),
  tickSpacing: 120,
};
