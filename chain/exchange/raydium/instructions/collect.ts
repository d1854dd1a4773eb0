import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type AccountMeta, type PublicKey, TransactionInstruction } from '@solana/web3.js';
import { MEMO_PROGRAM_ID } from '../../../transactions/memo.ts';
import {
  feeKeyAccount,
  LOCK_AUTHORITY,
  lockedPositionAddress,
  personalPositionAddress,
  positionNftAccount,
  protocolPositionAddress,
  tickArrayAddress,
} from '../addresses.ts';
import { instructionDiscriminator } from '../discriminators.ts';
import { u128, u64 } from '../encode.ts';
import type { PoolAccounts } from '../pool-accounts.ts';
import { CLMM_PROGRAM_ID, LOCK_PROGRAM_ID } from '../programs.ts';
import { readonly, signer, writable } from './accounts.ts';

export interface CollectRequest {
  readonly pool: PoolAccounts;
  readonly positionMint: PublicKey;
  readonly tickLower: number;
  readonly tickUpper: number;
  /** Of the position's NFT, or the Fee Key if locked; must sign. */
  readonly holder: PublicKey;
  readonly recipient0: PublicKey;
  readonly recipient1: PublicKey;
}

export interface Withdrawal {
  readonly liquidity: bigint;
  readonly amount0Min: bigint;
  readonly amount1Min: bigint;
}

const FEES_ONLY: Withdrawal = { liquidity: 0n, amount0Min: 0n, amount1Min: 0n };

/** Builds `decrease_liquidity_v2`, which pays fees and withdrawn liquidity to the NFT's holder. */
export function decreaseLiquidityInstruction(request: CollectRequest, withdrawal = FEES_ONLY): TransactionInstruction {
  const { pool, positionMint, tickLower, tickUpper, holder } = request;
  return new TransactionInstruction({
    programId: CLMM_PROGRAM_ID,
    keys: [
      signer(holder),
      readonly(positionNftAccount(positionMint, holder)),
      writable(personalPositionAddress(positionMint)),
      writable(pool.address),
      readonly(protocolPositionAddress(pool.address, tickLower, tickUpper)),
      writable(pool.vault0),
      writable(pool.vault1),
      ...rangeAndRecipients(request),
    ],
    data: Buffer.concat([
      instructionDiscriminator('decrease_liquidity_v2'),
      u128(withdrawal.liquidity),
      u64(withdrawal.amount0Min),
      u64(withdrawal.amount1Min),
    ]),
  });
}

export interface CollectLockedRequest extends CollectRequest {
  readonly feeKeyMint: PublicKey;
  readonly lockedNftAccount: PublicKey;
  /** Default: associated. */
  readonly feeKeyAccount?: PublicKey;
}

/** Builds `collect_clmm_fees_and_rewards` of the lock program, which pays the Fee Key's holder. */
export function collectLockedInstruction(request: CollectLockedRequest): TransactionInstruction {
  const { pool, positionMint, feeKeyMint, tickLower, tickUpper, holder } = request;
  return new TransactionInstruction({
    programId: LOCK_PROGRAM_ID,
    keys: [
      readonly(LOCK_AUTHORITY),
      signer(holder),
      readonly(request.feeKeyAccount ?? feeKeyAccount(feeKeyMint, holder)),
      readonly(lockedPositionAddress(feeKeyMint)),
      readonly(CLMM_PROGRAM_ID),
      writable(request.lockedNftAccount),
      writable(personalPositionAddress(positionMint)),
      writable(pool.address),
      writable(protocolPositionAddress(pool.address, tickLower, tickUpper)),
      writable(pool.vault0),
      writable(pool.vault1),
      ...rangeAndRecipients(request),
    ],
    data: instructionDiscriminator('collect_clmm_fees_and_rewards'),
  });
}

function rangeAndRecipients({ pool, tickLower, tickUpper, recipient0, recipient1 }: CollectRequest): AccountMeta[] {
  return [
    writable(tickArrayAddress(pool.address, tickLower, pool.tickSpacing)),
    writable(tickArrayAddress(pool.address, tickUpper, pool.tickSpacing)),
    writable(recipient0),
    writable(recipient1),
    readonly(TOKEN_PROGRAM_ID),
    readonly(TOKEN_2022_PROGRAM_ID),
    readonly(MEMO_PROGRAM_ID),
    readonly(pool.token0.mint),
    readonly(pool.token1.mint),
  ];
}
