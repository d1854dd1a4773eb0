import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type PublicKey, SystemProgram, SYSVAR_RENT_PUBKEY, TransactionInstruction } from '@solana/web3.js';
import { personalPositionAddress, positionNftAccount, tickArrayAddress } from '../addresses.ts';
import { instructionDiscriminator } from '../discriminators.ts';
import { bool, i32, none, u128, u64 } from '../encode.ts';
import type { PoolAccounts } from '../pool-accounts.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';
import { tickArrayStart } from '../tick-arrays.ts';
import { readonly, writable, writableSigner } from './accounts.ts';

/** Amounts: most taken from the payer, raw, tax included. */
export interface OpenPositionRequest {
  readonly pool: PoolAccounts;
  readonly payer: PublicKey;
  readonly owner: PublicKey;
  /** New mint; must sign. */
  readonly positionMint: PublicKey;
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly liquidity: bigint;
  readonly amount0Max: bigint;
  readonly amount1Max: bigint;
  readonly account0: PublicKey;
  readonly account1: PublicKey;
}

/** Builds `open_position_with_token22_nft`: missing tick arrays, deposit, a Token-2022 NFT without metadata. */
export function openPositionInstruction(request: OpenPositionRequest): TransactionInstruction {
  const { pool, payer, owner, positionMint, tickLower, tickUpper } = request;
  const arrayOf = (tick: number) => writable(tickArrayAddress(pool.address, tick, pool.tickSpacing));
  return new TransactionInstruction({
    programId: CLMM_PROGRAM_ID,
    keys: [
      writableSigner(payer),
      readonly(owner),
      writableSigner(positionMint),
      writable(positionNftAccount(positionMint, owner)),
      writable(pool.address),
      // Formerly the range's shared position; ignored, so any existing account will do.
      readonly(pool.address),
      arrayOf(tickLower),
      arrayOf(tickUpper),
      writable(personalPositionAddress(positionMint)),
      writable(request.account0),
      writable(request.account1),
      writable(pool.vault0),
      writable(pool.vault1),
      readonly(SYSVAR_RENT_PUBKEY),
      readonly(SystemProgram.programId),
      readonly(TOKEN_PROGRAM_ID),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID),
      readonly(TOKEN_2022_PROGRAM_ID),
      readonly(pool.token0.mint),
      readonly(pool.token1.mint),
    ],
    data: dataOf(request),
  });
}

function dataOf({ pool, tickLower, tickUpper, ...amounts }: OpenPositionRequest): Buffer {
  const withMetadata = false;
  return Buffer.concat([
    instructionDiscriminator('open_position_with_token22_nft'),
    ...[tickLower, tickUpper].map(i32),
    ...[tickLower, tickUpper].map((tick) => i32(tickArrayStart(tick, pool.tickSpacing))),
    u128(amounts.liquidity),
    u64(amounts.amount0Max),
    u64(amounts.amount1Max),
    bool(withMetadata),
    none(),
  ]);
}
