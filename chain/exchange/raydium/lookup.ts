import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type PublicKey, SystemProgram, SYSVAR_RENT_PUBKEY } from '@solana/web3.js';
import { FEE_TIERS } from '../../../domain/token-facts.ts';
import { METADATA_PROGRAM_ID } from '../../tokens/metaplex.ts';
import { MEMO_PROGRAM_ID } from '../../transactions/memo.ts';
import { LOCK_AUTHORITY } from './addresses.ts';
import { CLMM_PROGRAM_ID } from './programs.ts';
import { configOf } from './tiers.ts';

export const FIXED_ADDRESSES: readonly PublicKey[] = [
  ...FEE_TIERS.map(configOf),
  LOCK_AUTHORITY,
  CLMM_PROGRAM_ID,
  SystemProgram.programId,
  SYSVAR_RENT_PUBKEY,
  TOKEN_PROGRAM_ID,
  TOKEN_2022_PROGRAM_ID,
  ASSOCIATED_TOKEN_PROGRAM_ID,
  METADATA_PROGRAM_ID,
  MEMO_PROGRAM_ID,
];

export function lookupAddressesOf(quoteMint: PublicKey): PublicKey[] {
  return [...FIXED_ADDRESSES, quoteMint];
}
