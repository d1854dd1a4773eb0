import type { PublicKey } from '@solana/web3.js';
import { localAddress, localWallet } from './addresses.ts';
import { LABELLED_WALLETS } from './labelled-wallets.ts';
import type { SeedPair } from './local-pairs.ts';

export interface Holding {
  readonly owner: PublicKey;
  readonly account: PublicKey;
  readonly amountRaw: bigint;
}

/** Rankings must sum split accounts and skip emptied ones. */
const SPLIT_HOLDERS = 25;
const EMPTY_ACCOUNTS = 25;

/** Whole tokens; the n-th holder has about a n-th. */
const LARGEST_TOKENS = 20_000_000n;

/** 0 = largest. */
export function holderAt(rank: number): PublicKey {
  return LABELLED_WALLETS.find((labelled) => labelled.rank === rank)?.wallet ?? localWallet(`holder ${rank}`);
}

/** Raw units. */
export function balanceAt(pair: SeedPair, rank: number): bigint {
  return (LARGEST_TOKENS * 10n ** BigInt(pair.decimals)) / BigInt(rank + 1) + BigInt(10_000 - rank);
}

/** Holdings in accounts that are not associated: deriving those takes seconds. */
export function holdingsOf(pair: SeedPair): Holding[] {
  const ranks = Array.from({ length: pair.holders }, (_, rank) => rank);
  const empty = Array.from({ length: pair.holders === 0 ? 0 : EMPTY_ACCOUNTS }, (_, index) => {
    const label = `emptied ${pair.symbol} ${index}`;
    return { owner: localAddress(label), account: localAddress(`${label} account`), amountRaw: 0n };
  });
  return [...ranks.flatMap((rank) => holdingsAt(pair, rank)), ...empty];
}

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
