import {
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  getTransferFeeConfig,
  type Mint,
  unpackAccount,
} from '@solana/spl-token';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { batchesOf } from '../../domain/batches.ts';
import type { OtherAccountsByOwner } from '../../domain/reward/other-accounts.ts';
import { accountsAt } from '../rpc/agreed-accounts.ts';
import type { RpcEndpoint } from '../rpc/json-rpc.ts';
import { greatestTax, type HeldMint, MOST_HELD_ACCOUNTS, type WithheldIn } from './holder-answer.ts';
import { type CoinAddresses, type OtherAccountsWanted, sumOtherAccounts, wantedCoin } from './other-accounts.ts';
import { unpackTokenMint } from './unpack-mint.ts';

export interface HeldAmounts {
  /** By owner (base58). */
  readonly balances: ReadonlyMap<string, bigint>;
  readonly slot: number;
  /** Largest first. */
  readonly withheld: readonly WithheldIn[];
  /** Non-empty, base58. */
  readonly held: readonly string[];
  /** Empty unless requested. */
  readonly otherAccounts: OtherAccountsByOwner;
}

export interface KnownAccountsQuery extends HeldMint, OtherAccountsWanted {
  /** base58, unique */
  readonly accounts: readonly string[];
  readonly commitment: 'confirmed' | 'finalized';
  readonly minContextSlot?: number;
}

/** 100 minus the mint. */
const ACCOUNTS_PER_CALL = 99;

/** base58, unique. */
export function withOwner({ mint, tokenProgram }: HeldMint, known: readonly string[], owner: string): string[] {
  const account = getAssociatedTokenAddressSync(mint, new PublicKey(owner), true, tokenProgram);
  return [...new Set([...known, account.toBase58()])];
}

/**
 * Null unless these accounts, with tax withheld in them and the mint, hold the supply at one slot. No call without
 * accounts or for too many. One per 99.
 */
export async function readKnownAccounts(endpoint: RpcEndpoint, query: KnownAccountsQuery): Promise<HeldAmounts | null> {
  const { mint, accounts, tokenProgram, commitment, minContextSlot } = query;
  if (accounts.length > MOST_HELD_ACCOUNTS) return null;
  const reach = { commitment, ...(minContextSlot !== undefined && { minContextSlot }) };
  const pages = batchesOf(accounts, ACCOUNTS_PER_CALL);
  const read = await Promise.all(pages.map((page) => accountsAt(endpoint, [mint.toBase58(), ...page], reach)));
  const [first] = read;
  if (!first || read.some(({ slot }) => slot !== first.slot)) return null;
  const unpacked = unpackTokenMint(mint, first.accounts[0] ?? null);
  if (!unpacked?.tokenProgram.equals(tokenProgram)) return null;
  const found = read.flatMap(({ accounts: [, ...infos] }, page) =>
    infos.map((info, index) => heldIn(query, pages[page]?.[index] ?? '', info)),
  );
  const held = found.filter((one) => one !== null);
  return sumOf(held) + withheldInMint(unpacked.mint) === unpacked.mint.supply
    ? amountsOf(held, first.slot, wantedCoin(query))
    : null;
}

/** Raw units. */
interface Held {
  readonly account: string;
  readonly owner: string;
  readonly raw: bigint;
  readonly tax: bigint;
}

function heldIn({ mint, tokenProgram }: HeldMint, account: string, info: AccountInfo<Buffer> | null): Held | null {
  if (!info?.owner.equals(tokenProgram)) return null;
  try {
    const unpacked = unpackAccount(new PublicKey(account), info, tokenProgram);
    const tax = getTransferFeeAmount(unpacked)?.withheldAmount ?? 0n;
    const isEmpty = unpacked.amount === 0n && tax === 0n;
    if (isEmpty || !unpacked.mint.equals(mint)) return null;
    return { account, owner: unpacked.owner.toBase58(), raw: unpacked.amount, tax };
  } catch {
    // Another account type.
    return null;
  }
}

function withheldInMint(mint: Mint): bigint {
  return getTransferFeeConfig(mint)?.withheldAmount ?? 0n;
}

function sumOf(held: readonly Held[]): bigint {
  return held.reduce((sum, { raw, tax }) => sum + raw + tax, 0n);
}

function amountsOf(held: readonly Held[], slot: number, coin: CoinAddresses | null): HeldAmounts {
  const balances = new Map<string, bigint>();
  const full = held.filter(({ raw }) => raw > 0n);
  for (const { owner, raw } of full) balances.set(owner, (balances.get(owner) ?? 0n) + raw);
  const taxed = held.flatMap(({ account, tax }) => (tax > 0n ? [{ account, raw: tax }] : []));
  return {
    balances,
    slot,
    withheld: greatestTax(taxed),
    held: held.map(({ account }) => account),
    otherAccounts: coin ? otherAccountsIn(full, coin) : new Map(),
  };
}

function otherAccountsIn(held: readonly Held[], coin: CoinAddresses): OtherAccountsByOwner {
  const others = sumOtherAccounts(coin);
  for (const { owner, account, raw } of held)
    others.add(Buffer.from(bs58.decode(owner)).toString('latin1'), account, raw);
  return others.all();
}
