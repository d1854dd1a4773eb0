import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDisableRequiredMemoTransfersInstruction,
  createEnableRequiredMemoTransfersInstruction,
  createReallocateInstruction,
  ExtensionType,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import type { Keypair, PublicKey } from '@solana/web3.js';
import { accountOf, land } from '../../../support/claim/claim-market.ts';
import type { Saver } from '../markets.ts';
import { AWAY_MS, type Fault, type Ground } from './fault.ts';

/** What owners of accounts can demand of those who pay into them. */
export const MEMO_FAULTS = {
  'accounts of holders and creators demand memos': { act: demandMemos },
} as const satisfies Record<string, Fault>;

/** Markets whose holder and creator demand memos at once, at most. */
const MOST = 5;

interface Owned {
  readonly owner: Keypair;
  readonly account: PublicKey;
}

/** Throws where there is no such account yet, so that the fault is not counted. */
async function demandMemos(ground: Ground): Promise<void> {
  const { stack, markets } = ground;
  const found = await Promise.all(markets.savers.slice(-MOST).map((saver) => accountsOf(ground, saver)));
  const accounts = found.flat();
  if (accounts.length === 0) throw new Error('there is no account of Token-2022 yet');
  for (const { owner, account } of accounts) {
    const memos: [ExtensionType] = [ExtensionType.MemoTransfer];
    await land(stack, owner, [
      createReallocateInstruction(account, owner.publicKey, memos, owner.publicKey, [], TOKEN_2022_PROGRAM_ID),
      createEnableRequiredMemoTransfersInstruction(account, owner.publicKey, [], TOKEN_2022_PROGRAM_ID),
    ]);
  }
  await sleep(AWAY_MS);
  for (const { owner, account } of accounts) {
    await land(stack, owner, [
      createDisableRequiredMemoTransfersInstruction(account, owner.publicKey, [], TOKEN_2022_PROGRAM_ID),
    ]);
  }
}

/** Accounts of both tokens that a market's holder and its creator have. */
async function accountsOf({ stack }: Ground, { market }: Saver): Promise<Owned[]> {
  const possible = [market.trader, market.creator.keypair].flatMap((owner) =>
    [market.base, market.quote]
      .filter(({ tokenProgram }) => tokenProgram.equals(TOKEN_2022_PROGRAM_ID))
      .map((token) => ({ owner, account: accountOf(token, owner.publicKey) })),
  );
  const infos = await stack.connection.getMultipleAccountsInfo(
    possible.map(({ account }) => account),
    'confirmed',
  );
  return possible.filter((_, index) => infos[index]?.owner.equals(TOKEN_2022_PROGRAM_ID) === true);
}
