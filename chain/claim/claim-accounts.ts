import { ASSOCIATED_TOKEN_PROGRAM_ID, unpackAccount } from '@solana/spl-token';
import type { AccountInfo, PublicKey, VersionedMessage } from '@solana/web3.js';
import type { PositionChain, PositionFees } from '../exchange/position-fees.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import type { TokenInfo } from '../tokens/token.ts';

/** Another owner's account counts as missing: opening it fails, so no claim pays into it. */
export async function missingAccounts(
  { rpc: { connection } }: PositionChain,
  { base, quote }: Pick<PositionFees, 'base' | 'quote'>,
  wallet: PublicKey,
): Promise<PublicKey[]> {
  const tokens = [base, quote];
  const accounts = tokens.map((token) => tokenAccountOf(token, wallet));
  const found = await connection.getMultipleAccountsInfo(accounts, 'confirmed');
  return accounts.filter((account, index) => !isOpen(account, found[index] ?? null, tokens[index], wallet));
}

function isOpen(
  account: PublicKey,
  info: AccountInfo<Buffer> | null,
  token: TokenInfo | undefined,
  wallet: PublicKey,
): boolean {
  if (!info || !token?.tokenProgram.equals(info.owner)) return false;
  const { owner, mint } = unpackAccount(account, info, token.tokenProgram);
  return owner.equals(wallet) && mint.equals(token.mint);
}

export function openedAccounts(message: VersionedMessage): PublicKey[] {
  const keys = message.staticAccountKeys;
  return message.compiledInstructions.flatMap(({ programIdIndex, accountKeyIndexes }) => {
    if (!keys[programIdIndex]?.equals(ASSOCIATED_TOKEN_PROGRAM_ID)) return [];
    return keys[accountKeyIndexes[1] ?? -1] ?? [];
  });
}
