import {
  AccountLayout,
  getTransferFeeAmount,
  getTransferFeeConfig,
  TOKEN_2022_PROGRAM_ID,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';

/** Transfer tax that lies withheld in a token account. */
export interface WithheldAccount {
  readonly account: PublicKey;
  readonly owner: PublicKey;
  /** Raw units; above zero. */
  readonly raw: bigint;
}

/** All withheld tax of a mint at a moment. */
export interface WithheldTax {
  /** Greatest first; equal ones by address. */
  readonly accounts: readonly WithheldAccount[];
  /** What was brought to the mint itself, raw units. */
  readonly mintRaw: bigint;
}

/** Reads the withheld tax of a Token-2022 mint, confirmed. One request, whose answer grows with the number of token accounts. */
export async function readWithheldTax(connection: Connection, mint: PublicKey): Promise<WithheldTax> {
  const [mintAccount, accounts] = await Promise.all([
    connection.getAccountInfo(mint, 'confirmed'),
    connection.getProgramAccounts(TOKEN_2022_PROGRAM_ID, {
      commitment: 'confirmed',
      filters: [{ memcmp: { offset: 0, bytes: mint.toBase58() } }],
    }),
  ]);
  const config = getTransferFeeConfig(unpackMint(mint, mintAccount, TOKEN_2022_PROGRAM_ID));
  const withheld = accounts
    // A mint cannot begin with its own address, but other accounts of the program may be shorter than a token account.
    .filter(({ account }) => account.data.length >= AccountLayout.span)
    .map(({ pubkey, account }) => withheldIn(pubkey, account))
    .filter(({ raw }) => raw > 0n);
  return { accounts: withheld.sort(byAmount), mintRaw: config?.withheldAmount ?? 0n };
}

function withheldIn(address: PublicKey, info: Parameters<typeof unpackAccount>[1]): WithheldAccount {
  const account = unpackAccount(address, info, TOKEN_2022_PROGRAM_ID);
  return { account: address, owner: account.owner, raw: getTransferFeeAmount(account)?.withheldAmount ?? 0n };
}

function byAmount(a: WithheldAccount, b: WithheldAccount): number {
  if (a.raw !== b.raw) return a.raw > b.raw ? -1 : 1;
  return Buffer.compare(a.account.toBuffer(), b.account.toBuffer());
}
