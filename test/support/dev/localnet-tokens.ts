import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { randomBytes } from 'node:crypto';
import type { TestChain } from './localnet-chain.ts';

/** A classic mint and the wallet's token account, which holds all of it. */
export interface TestMint {
  readonly mint: PublicKey;
  readonly account: PublicKey;
}

/** Creates a mint of 6 decimals and mints raw units to the wallet. */
export async function createMint(chain: TestChain, amount: bigint): Promise<TestMint> {
  const mint = Keypair.generate();
  const { publicKey: owner } = chain.wallet;
  const account = getAssociatedTokenAddressSync(mint.publicKey, owner);
  const lamports = await chain.call<number>('getMinimumBalanceForRentExemption', [MINT_SIZE]);
  const created = { fromPubkey: owner, newAccountPubkey: mint.publicKey, space: MINT_SIZE, lamports };
  await chain.run(
    [
      SystemProgram.createAccount({ ...created, programId: TOKEN_PROGRAM_ID }),
      createInitializeMint2Instruction(mint.publicKey, 6, owner, null),
      createAssociatedTokenAccountIdempotentInstruction(owner, account, owner, mint.publicKey),
      createMintToInstruction(mint.publicKey, account, owner, amount),
    ],
    { signers: [mint] },
  );
  return { mint: mint.publicKey, account };
}

/** Bytes of an initialised classic token account (layout: `spl_token::state::Account`). */
export function tokenAccountData(mint: PublicKey, owner: PublicKey, amount: bigint): Uint8Array {
  const data = Buffer.alloc(165);
  data.set(mint.toBytes(), 0);
  data.set(owner.toBytes(), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  return data;
}

/** An address nobody has the key of; quicker to make than a wallet's. */
function anyAddress(): PublicKey {
  return new PublicKey(randomBytes(32));
}

/** Puts token accounts of as many fresh owners on the chain, holding 1, 2, 3, … raw units. */
export function seedHolders(chain: TestChain, mint: PublicKey, count: number): PublicKey[] {
  const owners = Array.from({ length: count }, anyAddress);
  const owner = TOKEN_PROGRAM_ID.toBase58();
  chain.node.control.setAccounts(
    owners.map((holder, index) => {
      const data = tokenAccountData(mint, holder, BigInt(index + 1));
      return [anyAddress().toBase58(), { lamports: 2_039_280n, data, owner, executable: false }] as const;
    }),
  );
  return owners;
}
