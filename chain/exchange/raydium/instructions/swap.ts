import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type PublicKey, TransactionInstruction } from '@solana/web3.js';
import { MEMO_PROGRAM_ID } from '../../../transactions/memo.ts';
import { observationAddress, tickArrayAddress } from '../addresses.ts';
import { instructionDiscriminator } from '../discriminators.ts';
import { bool, u128, u64 } from '../encode.ts';
import type { PoolAccounts } from '../pool-accounts.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';
import { readonly, signer, writable } from './accounts.ts';

/** A swap, wholly or not at all. Amounts are raw, from and to the trader. */
export interface SwapInstructionRequest {
  readonly pool: PoolAccounts;
  readonly owner: PublicKey;
  readonly zeroForOne: boolean;
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
  /** Least output (`in`), most input (`out`). */
  readonly limit: bigint;
  readonly inputAccount: PublicKey;
  readonly outputAccount: PublicKey;
  /** First ticks, in the swap's direction. */
  readonly tickArrays: readonly number[];
}

/** Builds `swap_v2` without a price limit: it refuses a partial fill. */
export function swapInstruction(request: SwapInstructionRequest): TransactionInstruction {
  const { pool, zeroForOne } = request;
  const sides = [
    { vault: pool.vault0, mint: pool.token0.mint },
    { vault: pool.vault1, mint: pool.token1.mint },
  ] as const;
  const [input, output] = zeroForOne ? sides : [sides[1], sides[0]];
  return new TransactionInstruction({
    programId: CLMM_PROGRAM_ID,
    keys: [
      signer(request.owner),
      readonly(pool.ammConfig),
      writable(pool.address),
      writable(request.inputAccount),
      writable(request.outputAccount),
      writable(input.vault),
      writable(output.vault),
      writable(observationAddress(pool.address)),
      readonly(TOKEN_PROGRAM_ID),
      readonly(TOKEN_2022_PROGRAM_ID),
      readonly(MEMO_PROGRAM_ID),
      readonly(input.mint),
      readonly(output.mint),
      ...request.tickArrays.map((start) => writable(tickArrayAddress(pool.address, start, pool.tickSpacing))),
    ],
    data: dataOf(request),
  });
}

function dataOf({ amount, limit, exact }: SwapInstructionRequest): Buffer {
  const noPriceLimit = 0n;
  return Buffer.concat([
    instructionDiscriminator('swap_v2'),
    u64(amount),
    u64(limit),
    u128(noPriceLimit),
    bool(exact === 'in'),
  ]);
}
