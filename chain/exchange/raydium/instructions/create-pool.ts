import {
  type AccountMeta,
  type PublicKey,
  SystemProgram,
  SYSVAR_RENT_PUBKEY,
  TransactionInstruction,
} from '@solana/web3.js';
import { bitmapExtensionAddress, observationAddress } from '../addresses.ts';
import { instructionDiscriminator } from '../discriminators.ts';
import { bool, u128, u64 } from '../encode.ts';
import type { PoolAccounts } from '../pool-accounts.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';
import { readonly, writable, writableSigner } from './accounts.ts';

/** `input`: the token paid in. */
export type CollectFeeOn = 'input' | 'token0' | 'token1';

export interface CreatePoolRequest {
  readonly creator: PublicKey;
  readonly pool: PoolAccounts;
  /** Q64.64, token1 per token0. */
  readonly sqrtPriceX64: bigint;
  /** Of Token-2022 mints that need one. */
  readonly supportMints?: readonly PublicKey[];
}

const FEE_ON: Record<CollectFeeOn, number> = { input: 0, token0: 1, token1: 2 };

/** Creates a pool with fees in the input token; trading opens at once. */
export function createPoolInstruction(request: CreatePoolRequest): TransactionInstruction {
  const openTime = 0n;
  return new TransactionInstruction({
    programId: CLMM_PROGRAM_ID,
    keys: keysOf(request),
    data: Buffer.concat([instructionDiscriminator('create_pool'), u128(request.sqrtPriceX64), u64(openTime)]),
  });
}

export function createCustomizablePoolInstruction(
  request: CreatePoolRequest,
  feeOn: CollectFeeOn,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: CLMM_PROGRAM_ID,
    keys: keysOf(request),
    data: Buffer.concat([
      instructionDiscriminator('create_customizable_pool'),
      u128(request.sqrtPriceX64),
      Buffer.of(FEE_ON[feeOn]),
      bool(false),
    ]),
  });
}

function keysOf({ creator, pool, supportMints = [] }: CreatePoolRequest): AccountMeta[] {
  return [
    writableSigner(creator),
    readonly(pool.ammConfig),
    writable(pool.address),
    readonly(pool.token0.mint),
    readonly(pool.token1.mint),
    writable(pool.vault0),
    writable(pool.vault1),
    writable(observationAddress(pool.address)),
    writable(bitmapExtensionAddress(pool.address)),
    readonly(pool.token0.tokenProgram),
    readonly(pool.token1.tokenProgram),
    readonly(SystemProgram.programId),
    readonly(SYSVAR_RENT_PUBKEY),
    ...supportMints.map(readonly),
  ];
}
