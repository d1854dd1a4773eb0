import { getMemoTransfer, TOKEN_PROGRAM_ID, unpackAccount } from '@solana/spl-token';
import type { AccountInfo, PublicKey } from '@solana/web3.js';
import type { AccountFaultReason } from '../../domain/reward/left-out.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface AccountFault {
  readonly reason: AccountFaultReason;
  readonly text: string;
}

/** A missing one is no fault if the payout creates it. */
export function accountFault(
  token: TokenInfo,
  { owner, opensAccount }: { readonly owner: PublicKey; readonly opensAccount: boolean },
  info: AccountInfo<Buffer> | null,
): AccountFault | null {
  // It may hold lamports.
  const isThere = info !== null && info.data.length > 0;
  if (!isThere) return opensAccount ? null : { reason: 'accountClosed', text: 'the account was closed' };
  if (!info.owner.equals(token.tokenProgram))
    return foreign(`the account belongs to the program ${info.owner.toBase58()}`);
  const account = unpackAccount(tokenAccountOf(token, owner), info, token.tokenProgram);
  if (!account.mint.equals(token.mint)) return foreign(`the account is of the mint ${account.mint.toBase58()}`);
  if (!account.owner.equals(owner)) return foreign('the account was given to another owner');
  if (account.isFrozen) return { reason: 'accountFrozen', text: 'the account is frozen' };
  const hasExtensions = !token.tokenProgram.equals(TOKEN_PROGRAM_ID);
  const needsMemo = hasExtensions && getMemoTransfer(account)?.requireIncomingTransferMemos === true;
  return needsMemo ? { reason: 'accountNeedsMemo', text: 'the account asks for a memo with each transfer' } : null;
}

function foreign(text: string): AccountFault {
  return { reason: 'accountForeign', text };
}
