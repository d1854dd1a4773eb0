import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type GetProgramAccountsFilter, PublicKey } from '@solana/web3.js';
import type { EndpointSet } from '../rpc/endpoints.ts';
import type { RpcEndpoint } from '../rpc/json-rpc.ts';
import {
  addressesIn,
  type HeldMint,
  type HolderAnswer,
  type HolderWish,
  OWNER_AND_AMOUNT,
  OWNER_TO_EXTENSIONS,
  ownerAt,
} from './holder-answer.ts';
import { type HeldAmounts, readKnownAccounts } from './known-accounts.ts';
import { ranked } from './ranked.ts';
import { readHolderAnswerAside } from './read-holder-answer.ts';

/** Everything one owner has of a token. */
export interface Holder {
  readonly owner: PublicKey;
  /** Sum over the owner's token accounts, raw units. */
  readonly raw: bigint;
}

/** The holders of a token at a moment. */
export interface HolderList {
  /** Greatest balance first; equal ones by address. */
  readonly holders: readonly Holder[];
  /** How many there are, also of those that were not asked for. */
  readonly total: number;
  /** Slot of the answer. */
  readonly slot: number;
  /** Accounts (base58) in which something lies, with tax only where accounts were told; null where they are too many to be kept in mind. */
  readonly held: readonly string[] | null;
}

/** Whose holders are asked for. */
export interface HoldersWanted extends HeldMint {
  /** As `HoldersQuestion` of agreed-holders.ts has them. */
  readonly accounts?: readonly string[];
}

/** How all accounts of a token are asked for. */
export interface HolderQuery extends HeldMint {
  readonly wish: HolderWish;
  readonly commitment: 'confirmed' | 'finalized';
  /** The endpoint must have reached this slot at the commitment, or it answers an error. */
  readonly minContextSlot?: number;
  /** With what is withheld in the accounts: of a taxed mint. */
  readonly withTax?: boolean;
}

/** Size of a token account without extensions (spl-token `Account`). */
const PLAIN_ACCOUNT_BYTES = 165;

/**
 * Owners with a balance above zero, confirmed, the greatest `most` of them. One request, whose answer grows with the number of token
 * accounts; for accounts that are told, and in which the whole supply lies, one for 99 of them.
 */
export async function readHolders(
  endpoints: EndpointSet,
  { accounts, ...token }: HoldersWanted,
  most = Infinity,
): Promise<HolderList> {
  const query = { ...token, commitment: 'confirmed' } as const;
  return endpoints.read(async (endpoint) => {
    const known = accounts ? await readKnownAccounts(endpoint, { ...query, accounts }) : null;
    if (known) return listOf(known, most);
    const wish = { greatest: most };
    const { slot, total, owners, amounts, held } = await askHolders(endpoint, {
      ...query,
      wish,
      withTax: accounts !== undefined,
    });
    const holders = Array.from(amounts, (raw, index) => ({ owner: new PublicKey(ownerAt(owners, index)), raw }));
    return { holders, total, slot, held: held === null ? null : addressesIn(held) };
  });
}

function listOf({ balances, slot, held }: HeldAmounts, most: number): HolderList {
  const greatest = ranked(balances).slice(0, most);
  const holders = greatest.map((owner) => ({ owner: new PublicKey(owner), raw: balances.get(owner) ?? 0n }));
  return { holders, total: balances.size, slot, held };
}

/** What one endpoint says of all accounts of a token. */
export function askHolders(endpoint: RpcEndpoint, query: HolderQuery): Promise<HolderAnswer> {
  const params = [query.tokenProgram.toBase58(), accountsQuery(query)];
  return endpoint.callFor('getProgramAccounts', params, (answer) => readHolderAnswerAside(answer, query.wish));
}

/** The configuration object that asks for all accounts of a token. */
export function accountsQuery({ mint, tokenProgram, commitment, minContextSlot, withTax = false }: HolderQuery) {
  return {
    commitment,
    encoding: 'base64',
    withContext: true,
    ...(minContextSlot !== undefined && { minContextSlot }),
    dataSlice: withTax ? OWNER_TO_EXTENSIONS : OWNER_AND_AMOUNT,
    filters: filtersOf(mint, tokenProgram),
  };
}

function filtersOf(mint: PublicKey, tokenProgram: PublicKey): GetProgramAccountsFilter[] {
  const ofMint: GetProgramAccountsFilter = { memcmp: { offset: 0, bytes: mint.toBase58() } };
  return tokenProgram.equals(TOKEN_PROGRAM_ID) ? [{ dataSize: PLAIN_ACCOUNT_BYTES }, ofMint] : [ofMint];
}
