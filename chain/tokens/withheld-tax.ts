import {
  getTransferFeeAmount,
  getTransferFeeConfig,
  TOKEN_2022_PROGRAM_ID,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';
import type { EndpointSet } from '../rpc/endpoints.ts';
import { type WithheldIn, withheldOf } from './holder-answer.ts';
import { askHolders } from './holders.ts';
import { readKnownAccounts } from './known-accounts.ts';

/** Withheld tax of a mint that is read without asking for all of its accounts, raw units. */
export interface TaxAt {
  /** What was brought to the mint itself. */
  readonly mintRaw: bigint;
  /** What lies in one of its token accounts. */
  readonly accountRaw: bigint;
}

/**
 * Token accounts in which tax of a Token-2022 mint lies withheld, confirmed, the greatest first. One request, whose answer grows with the
 * number of token accounts; for accounts (base58) that are told, and in which the whole supply lies, one for 99 of them.
 */
export async function readWithheldTax(
  endpoints: EndpointSet,
  mint: PublicKey,
  accounts: readonly string[] = [],
): Promise<readonly WithheldIn[]> {
  const query = { mint, tokenProgram: TOKEN_2022_PROGRAM_ID, commitment: 'confirmed' } as const;
  return endpoints.read(async (endpoint) => {
    const known = await readKnownAccounts(endpoint, { ...query, accounts });
    if (known) return known.withheld;
    return withheldOf(await askHolders(endpoint, { ...query, withTax: true, wish: { greatest: 0 } }));
  });
}

/** Reads the withheld tax of a Token-2022 mint itself and of one of its token accounts, confirmed. */
export async function readTaxAt(connection: Connection, mint: PublicKey, account: PublicKey): Promise<TaxAt> {
  const [ofMint = null, ofAccount = null] = await connection.getMultipleAccountsInfo([mint, account], 'confirmed');
  const config = getTransferFeeConfig(unpackMint(mint, ofMint, TOKEN_2022_PROGRAM_ID));
  const amount = getTransferFeeAmount(unpackAccount(account, ofAccount, TOKEN_2022_PROGRAM_ID));
  return { mintRaw: config?.withheldAmount ?? 0n, accountRaw: amount?.withheldAmount ?? 0n };
}
