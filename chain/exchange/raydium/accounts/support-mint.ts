import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { type AccountKind, openAccount } from '../account-reader.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';

/** Layout `SupportMintAssociated` of the program's published interface. */
export const SUPPORT_MINT: AccountKind = { name: 'SupportMintAssociated', program: CLMM_PROGRAM_ID, bytes: 105 };

/** The mint that a support-mint account lets into pools. Throws when the account is none. */
export function decodeSupportMint(address: PublicKey, account: AccountInfo<Buffer> | null): PublicKey {
  return openAccount(address, account, SUPPORT_MINT).skip(1).key();
}
