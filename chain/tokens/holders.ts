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
import { type OtherAccountsWanted, wantedCoin } from './other-accounts.ts';
import { ranked } from './ranked.ts';
import { readHolderAnswerAside } from './read-holder-answer.ts';

export interface Holder {
  readonly owner: PublicKey;
  /** Over the owner's accounts. */
  readonly raw: bigint;
}

export interface HolderList {
  /** Largest first, ties by address. */
  readonly holders: readonly Holder[];
  readonly total: number;
  readonly slot: number;
  /** base58; null if too many. Accounts with only tax count only if `accounts` was given. */
  readonly held: readonly string[] | null;
}

export interface HoldersWanted extends HeldMint {
  /** See `HoldersQuestion.accounts`. */
  readonly accounts?: readonly string[];
}

export interface HolderQuery extends HeldMint, OtherAccountsWanted {
  readonly wish: HolderWish;
  readonly commitment: 'confirmed' | 'finalized';
  /** The endpoint fails if it is behind. */
  readonly minContextSlot?: number;
  readonly withTax?: boolean;
}

/** Size of a token account without extensions. */
const PLAIN_ACCOUNT_BYTES = 165;

/** The `most` largest at `confirmed`: one request, or one per 99 known accounts if these hold the supply. */
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

export function askHolders(endpoint: RpcEndpoint, query: HolderQuery): Promise<HolderAnswer> {
  const params = [query.tokenProgram.toBase58(), accountsQuery(query)];
  return endpoint.callFor('getProgramAccounts', params, (answer) =>
    readHolderAnswerAside(answer, query.wish, wantedCoin(query)),
  );
}

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
