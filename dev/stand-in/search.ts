import {
  AccountLayout,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';
import type { StandInKeys } from './keys.ts';
import { type StandInState, withHarvests } from './state.ts';
import { encodeState, parseState, STATE_MEMO_PREFIX } from './state-text.ts';

export type Commitment = 'confirmed' | 'finalized';

export interface PoolToken {
  readonly mint: PublicKey;
  readonly vault: PublicKey;
}

/** Signatures in the first and further calls. */
const FIRST_PAGE = 20;
const PAGE = 1_000;

/**
 * Searches newest first, for the memo behind the current state key, or the one before harvests. Null if the node lacks
 * it.
 */
export async function findState(
  connection: Connection,
  keys: StandInKeys,
  pool: PublicKey,
  stateKey: PublicKey,
  commitment: Commitment,
): Promise<StandInState | null> {
  const isPresent = (state: StandInState) => keys.state(pool, encodeState(state)).publicKey.equals(stateKey);
  let before: string | undefined;
  for (let limit = FIRST_PAGE; ; limit = PAGE) {
    const page = await connection.getSignaturesForAddress(pool, { limit, before }, commitment);
    for (const { memo } of page) {
      const found = statesOf(memo ?? '')
        .flatMap(withHarvests)
        .find(isPresent);
      if (found) return found;
    }
    before = page.at(-1)?.signature;
    if (page.length < limit) return null;
  }
}

/** `[length] text`, joined by `; `. */
function statesOf(memo: string): StandInState[] {
  const texts = memo.split(/(?:^|; )\[\d+\] /).filter((text) => text.startsWith(STATE_MEMO_PREFIX));
  return texts.flatMap((text) => parseState(text) ?? []);
}

/** Finds the tokens that derive the pool's address. Throws without. */
export async function findTokens(
  connection: Connection,
  keys: StandInKeys,
  pool: PublicKey,
  state: StandInState,
  commitment: Commitment,
): Promise<readonly [PoolToken, PoolToken]> {
  const programs = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID];
  const owned = await Promise.all(
    programs.map((programId) => connection.getTokenAccountsByOwner(pool, { programId }, commitment)),
  );
  const found = owned
    .flatMap(({ value }) => value)
    .flatMap(({ pubkey, account }) => {
      const { mint } = AccountLayout.decode(account.data.subarray(0, AccountLayout.span));
      const vault = getAssociatedTokenAddressSync(mint, pool, true, account.owner);
      return vault.equals(pubkey) ? [{ mint, vault }] : [];
    });
  for (const base of found) {
    const quote = found.find(({ mint }) => keys.pool(base.mint, mint, state.tier).publicKey.equals(pool));
    if (quote) return state.baseIsToken0 ? [base, quote] : [quote, base];
  }
  throw new Error(`pool ${pool.toBase58()} has no vaults of the mints it was made for`);
}
