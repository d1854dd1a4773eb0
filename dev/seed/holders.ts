import type { PublicKey } from '@solana/web3.js';
import { localAddress, localWallet } from './addresses.ts';
import { LABELLED_WALLETS } from './labelled-wallets.ts';
import type { SeedPair } from './local-pairs.ts';

/** One token account of a holder. */
export interface Holding {
  readonly owner: PublicKey;
  readonly account: PublicKey;
  readonly amountRaw: bigint;
}

/** Wallets that keep their tokens in two accounts, and accounts that were emptied: rankings must add up and skip. */
const SPLIT_HOLDERS = 25;
const EMPTY_ACCOUNTS = 25;

/** Whole tokens of the largest holder; the n-th holds about a n-th of it, so no two hold the same. */
const LARGEST_TOKENS = 20_000_000n;

/** Holder of a rank by balance, 0 = largest. */
export function holderAt(rank: number): PublicKey {
  return LABELLED_WALLETS.find((labelled) => labelled.rank === rank)?.wallet ?? localWallet(`holder ${rank}`);
}

/** Balance of a rank in raw units. */
export function balanceAt(pair: SeedPair, rank: number): bigint {
  return (LARGEST_TOKENS * 10n ** BigInt(pair.decimals)) / BigInt(rank + 1) + BigInt(10_000 - rank);
}

/** Every token account of a pair's holders. The token accounts are no associated ones: theirs would take seconds to derive. */
export function holdingsOf(pair: SeedPair): Holding[] {
  const ranks = Array.from({ length: pair.holders }, (_, rank) => rank);
  const empty = Array.from({ length: pair.holders === 0 ? 0 : EMPTY_ACCOUNTS }, (_, index) => {
    const label = `emptied ${pair.symbol} ${index}`;
    return { owner: localAddress(label), account: localAddress(`${label} account`), amountRaw: 0n };
  });
  return [...ranks.flatMap((rank) => holdingsAt(pair, rank)), ...empty];
}

/** The holders at the end of the first hundred keep a third of their balance in a second account. */
function holdingsAt(pair: SeedPair, rank: number): Holding[] {
  const owner = holderAt(rank);
  const total = balanceAt(pair, rank);
  const second = rank >= 100 - SPLIT_HOLDERS && rank < 100 ? total / 3n : 0n;
  const holding = (name: string, amountRaw: bigint): Holding => ({
    owner,
    account: localAddress(`${pair.symbol} ${name} ${rank}`),
    amountRaw,
  });
  return second === 0n
    ? [holding('account', total)]
    : [holding('account', total - second), holding('second account', second)];
}
