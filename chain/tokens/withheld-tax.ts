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

/** Raw units. */
export interface TaxAt {
  /** Harvested to the mint. */
  readonly mintRaw: bigint;
  /** Withheld in one token account. */
  readonly accountRaw: bigint;
}

/** Reads at `confirmed`, largest first: one request, or one per 99 known accounts (base58) if these hold the supply. */
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

/** Reads withheld tax of mint and account at `confirmed`. */
export async function readTaxAt(connection: Connection, mint: PublicKey, account: PublicKey): Promise<TaxAt> {
  const [ofMint = null, ofAccount = null] = await connection.getMultipleAccountsInfo([mint, account], 'confirmed');
  const config = getTransferFeeConfig(unpackMint(mint, ofMint, TOKEN_2022_PROGRAM_ID));
  const amount = getTransferFeeAmount(unpackAccount(account, ofAccount, TOKEN_2022_PROGRAM_ID));
  return { mintRaw: config?.withheldAmount ?? 0n, accountRaw: amount?.withheldAmount ?? 0n };
}
