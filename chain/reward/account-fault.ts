import type { AccountInfo, PublicKey } from '@solana/web3.js';
import type { AccountFaultReason } from '../../domain/reward/left-out.ts';
import { demandsMemos } from '../tokens/altered-account.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import type { TokenInfo } from '../tokens/token.ts';
import { balanceOfAccount } from '../tokens/token-balance.ts';

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
  switch (balanceOfAccount(token, owner, info).state) {
    case 'absent':
      return opensAccount ? null : { reason: 'accountClosed', text: 'the account was closed' };
    case 'foreign':
      return { reason: 'accountForeign', text: 'the account belongs to another owner, mint or program' };
    case 'frozen':
      return { reason: 'accountFrozen', text: 'the account is frozen' };
    case 'open':
      return info && demandsMemos(tokenAccountOf(token, owner), info)
        ? { reason: 'accountNeedsMemo', text: 'the account asks for a memo with each transfer' }
        : null;
  }
}
