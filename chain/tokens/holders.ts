import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type Connection, type GetProgramAccountsFilter, PublicKey } from '@solana/web3.js';

/** Everything one owner has of a token. */
export interface Holder {
  readonly owner: PublicKey;
  /** Sum over the owner's token accounts, raw units. */
  readonly raw: bigint;
}

/** All holders of a token at a moment. */
export interface HolderList {
  /** Greatest balance first; equal ones by address. */
  readonly holders: readonly Holder[];
  /** Slot of the answer. */
  readonly slot: number;
}

/** Size of a token account without extensions (spl-token `Account`). */
const PLAIN_ACCOUNT_BYTES = 165;

/** In a token account: mint at 0, owner at 32, amount (u64, little endian) at 64. */
const OWNER_AND_AMOUNT = { offset: 32, length: 40 };

/** As of when holders are read. */
export interface HoldersAt {
  /** Default `confirmed`. */
  readonly commitment?: 'confirmed' | 'finalized';
  /** The endpoint must have reached this slot at the commitment, or it answers an error. */
  readonly minContextSlot?: number;
}

/** Owners with a balance above zero. One request, whose answer grows with the number of token accounts. */
export async function readHolders(
  connection: Connection,
  { mint, tokenProgram }: { readonly mint: PublicKey; readonly tokenProgram: PublicKey },
  { commitment = 'confirmed', minContextSlot }: HoldersAt = {},
): Promise<HolderList> {
  const { value, context } = await connection.getProgramAccounts(tokenProgram, {
    commitment,
    ...(minContextSlot !== undefined && { minContextSlot }),
    ...holderQuery(mint, tokenProgram),
    withContext: true,
  });
  const balances = new Map<string, bigint>();
  for (const { account } of value) addBalance(balances, account.data);
  return { holders: ranked(balances), slot: context.slot };
}

/** Owners (base58) with raw units, greatest balance first; equal ones by address. */
export function ranked(balances: ReadonlyMap<string, bigint>): Holder[] {
  return [...balances].map(([owner, raw]) => ({ owner: new PublicKey(owner), raw })).sort(byBalance);
}

/** Which accounts of a token program are asked for, and which part of each: what `addBalance` takes. */
export function holderQuery(mint: PublicKey, tokenProgram: PublicKey) {
  const ofMint: GetProgramAccountsFilter = { memcmp: { offset: 0, bytes: mint.toBase58() } };
  const plain: GetProgramAccountsFilter[] = tokenProgram.equals(TOKEN_PROGRAM_ID)
    ? [{ dataSize: PLAIN_ACCOUNT_BYTES }]
    : [];
  return { dataSlice: OWNER_AND_AMOUNT, filters: [...plain, ofMint] };
}

/** Adds what an account of the query holds to its owner's balance (raw units by base58). */
export function addBalance(balances: Map<string, bigint>, data: Buffer): void {
  const raw = data.readBigUInt64LE(32);
  if (raw === 0n) return;
  const owner = new PublicKey(data.subarray(0, 32)).toBase58();
  balances.set(owner, (balances.get(owner) ?? 0n) + raw);
}

function byBalance(a: Holder, b: Holder): number {
  if (a.raw !== b.raw) return a.raw > b.raw ? -1 : 1;
  return Buffer.compare(a.owner.toBuffer(), b.owner.toBuffer());
}
