import { ACCOUNT_SIZE, AccountLayout, MINT_SIZE, MintLayout } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { deriveLanes, type Lane, LANE_PROGRAM_ID } from '../../chain/lanes/lane.ts';
import type { Db } from '../../db/connect.ts';
import * as laneRows from '../../db/money/lanes.ts';
import { type LocalChain, rentLamports, type WrittenAccount } from './local-chain.ts';
import type { PlatformWallets } from './write-tokens.ts';

/** Writes lanes without transactions; a kept chain has lanes. */
export async function writeLanes(
  chain: LocalChain,
  db: Db,
  { platform, treasury }: PlatformWallets,
  { environment, seedId }: { readonly environment: string; readonly seedId: string },
): Promise<void> {
  const lanes = await deriveLanes({ platform, treasury }, environment);
  if (lanes[0] && !(await chain.exists(lanes[0].mint))) await chain.writeAccounts(lanes.flatMap(laneAccounts));
  const rows = lanes.map(({ index, mint, account, authority }) => ({
    lane: index,
    mint: mint.toBase58(),
    account: account.toBase58(),
    authority: authority.toBase58(),
    seedId,
  }));
  await laneRows.addMissing(db, rows);
}

export function laneAccounts({ mint, account, authority }: Lane): WrittenAccount[] {
  return [
    { address: mint, lamports: rentLamports(MINT_SIZE), owner: LANE_PROGRAM_ID, data: mintBytes(authority) },
    {
      address: account,
      lamports: rentLamports(ACCOUNT_SIZE),
      owner: LANE_PROGRAM_ID,
      data: accountBytes(mint, authority),
    },
  ];
}

function mintBytes(authority: PublicKey): Uint8Array {
  const data = Buffer.alloc(MINT_SIZE);
  const none = { freezeAuthorityOption: 0, freezeAuthority: PublicKey.default } as const;
  const mint = {
    mintAuthorityOption: 1,
    mintAuthority: authority,
    supply: 0n,
    decimals: 0,
    isInitialized: true,
  } as const;
  MintLayout.encode({ ...mint, ...none }, data);
  return data;
}

function accountBytes(mint: PublicKey, owner: PublicKey): Uint8Array {
  const data = Buffer.alloc(ACCOUNT_SIZE);
  const nobody = PublicKey.default;
  AccountLayout.encode(
    {
      mint,
      owner,
      amount: 0n,
      delegateOption: 0,
      delegate: nobody,
      state: 1,
      isNativeOption: 0,
      isNative: 0n,
      delegatedAmount: 0n,
      closeAuthorityOption: 0,
      closeAuthority: nobody,
    },
    data,
  );
  return data;
}
