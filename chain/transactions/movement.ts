import type { PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import type { LandedTransaction, TokenChange } from '../rpc/transactions.ts';

/** Whose balances a movement is read from. */
export interface MovementParties {
  readonly pot: PublicKey;
  /** Holds what the first fee sweep withdrew beyond the deposit's tax. */
  readonly rewards: PublicKey;
  /** Gets what holders' new accounts cost. */
  readonly treasury: PublicKey;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
}

/** What a landed transaction did to a pot, raw units. */
export interface PotChange {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** The pot got tokens that the rewards authority held. */
  readonly isExcess: boolean;
  /** Quote tokens that left the pot for others than the treasury: above zero only where the pot paid and sold nothing. */
  readonly paidRaw: bigint;
  /** Token accounts, base58, that got quote tokens, the treasury's left out. */
  readonly paidAccounts: readonly string[];
}

/** Reads from the balances of a landed transaction what it moved into or out of a pot. */
export function readPotChange(
  landed: LandedTransaction,
  { pot, rewards, treasury, base, quote }: MovementParties,
): PotChange {
  const of = (token: TokenInfo, owner: PublicKey) => changeOf(landed.tokenChanges, tokenAccountOf(token, owner));
  const [baseRaw, quoteRaw, stock] = [of(base, pot), of(quote, pot), of(quote, treasury)];
  const treasuryAccount = tokenAccountOf(quote, treasury).toBase58();
  const quoteMint = quote.mint.toBase58();
  const paidAccounts = landed.tokenChanges
    .filter(({ mint, change, account }) => mint === quoteMint && change > 0n && account !== treasuryAccount)
    .map(({ account }) => account);
  const isPayout = quoteRaw < 0n && baseRaw === 0n;
  const moved = { baseRaw, quoteRaw, isExcess: baseRaw > 0n && of(base, rewards) < 0n };
  return isPayout
    ? // Where nobody but the treasury gains, it is repaid rents: of a taxed token it gains less than the pot gives.
      { ...moved, paidRaw: paidAccounts.length > 0 ? -quoteRaw - stock : 0n, paidAccounts }
    : { ...moved, paidRaw: 0n, paidAccounts: [] };
}

function changeOf(changes: readonly TokenChange[], account: PublicKey): bigint {
  const address = account.toBase58();
  return changes.reduce((sum, { account: changed, change }) => (changed === address ? sum + change : sum), 0n);
}
