import type { PublicKey } from '@solana/web3.js';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import type { LandedTransaction, TokenChange } from '../rpc/transactions.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface MovementParties {
  readonly pot: PublicKey;
  /** Gets the tax of the first fee sweep that is above the deposit's. */
  readonly rewards: PublicKey;
  /** Gets back the rent of holders' accounts. */
  readonly treasury: PublicKey;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
}

/** Raw units. */
export interface PotChange {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly isExcess: boolean;
  /** Quote tokens that accounts other than the treasury's got; above zero only if the pot sold nothing. */
  readonly paidRaw: bigint;
  /** base58, without the treasury's. */
  readonly paidAccounts: readonly string[];
}

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
    ? // If only the treasury gains, this repays rent; of a taxed token it receives less than the pot gives.
      { ...moved, paidRaw: paidAccounts.length > 0 ? -quoteRaw - stock : 0n, paidAccounts }
    : { ...moved, paidRaw: 0n, paidAccounts: [] };
}

function changeOf(changes: readonly TokenChange[], account: PublicKey): bigint {
  const address = account.toBase58();
  return changes.reduce((sum, { account: changed, change }) => (changed === address ? sum + change : sum), 0n);
}
