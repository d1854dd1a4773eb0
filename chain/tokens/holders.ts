import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type GetProgramAccountsFilter, PublicKey } from '@solana/web3.js';
import type { EndpointSet } from '../rpc/endpoints.ts';
import type { RpcEndpoint } from '../rpc/json-rpc.ts';
import { type HolderAnswer, type HolderWish, OWNER_AND_AMOUNT, OWNER_TO_EXTENSIONS, ownerAt } from './holder-answer.ts';
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
}

/** Which token's holders. */
export interface HeldMint {
  readonly mint: PublicKey;
  readonly tokenProgram: PublicKey;
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

/** Owners with a balance above zero, confirmed, the greatest `most` of them. One request, whose answer grows with the number of token accounts. */
export async function readHolders(
  endpoints: EndpointSet,
  { mint, tokenProgram }: HeldMint,
  most = Infinity,
): Promise<HolderList> {
  const query = { mint, tokenProgram, wish: { greatest: most }, commitment: 'confirmed' } as const;
  const { slot, total, owners, amounts } = await endpoints.read((endpoint) => askHolders(endpoint, query));
  const holders = Array.from(amounts, (raw, index) => ({ owner: new PublicKey(ownerAt(owners, index)), raw }));
  return { holders, total, slot };
}

/** What one endpoint says of all accounts of a token. */
export function askHolders(
  endpoint: RpcEndpoint,
  { mint, tokenProgram, commitment, minContextSlot, withTax = false, wish }: HolderQuery,
): Promise<HolderAnswer> {
  const how = {
    commitment,
    encoding: 'base64',
    withContext: true,
    ...(minContextSlot !== undefined && { minContextSlot }),
    dataSlice: withTax ? OWNER_TO_EXTENSIONS : OWNER_AND_AMOUNT,
    filters: filtersOf(mint, tokenProgram),
  };
  return endpoint.callFor('getProgramAccounts', [tokenProgram.toBase58(), how], (answer) =>
    readHolderAnswerAside(answer, wish),
  );
}

function filtersOf(mint: PublicKey, tokenProgram: PublicKey): GetProgramAccountsFilter[] {
  const ofMint: GetProgramAccountsFilter = { memcmp: { offset: 0, bytes: mint.toBase58() } };
  return tokenProgram.equals(TOKEN_PROGRAM_ID) ? [{ dataSize: PLAIN_ACCOUNT_BYTES }, ofMint] : [ofMint];
}
