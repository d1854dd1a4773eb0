import type { SeedPair } from '../../../dev/seed/local-pairs.ts';
import { localPair } from '../../support/platform/local-pair.ts';
import { ODD_MARKETS, ODD_WISHES } from './odd-pairs.ts';
import type { LaunchWish } from '../drill/load.ts';

/** A number below `most`; see test/support/dice.ts. */
export type Dice = (most: number) => number;

const [USDL, LBIT, CORAL] = [localPair('USDL'), localPair('LBIT'), localPair('CORAL')];

/** Both modes, both token programs, dev buys of both kinds, and an airdrop. */
const WISHES: readonly LaunchWish[] = [
  { pair: USDL, sol: 5, changes: {} },
  { pair: CORAL, sol: 20, changes: { mode: 'reward', rewardTaxBps: 100, airdropPercent: 5, devBuyPercent: 0.5 } },
  { pair: LBIT, sol: 5, changes: { devBuyPercent: 1 } },
  { pair: USDL, sol: 5, changes: { mode: 'reward', rewardTaxBps: 300 } },
  { pair: USDL, sol: 5, changes: { devBuySol: 0.2 } },
];

/** Odd quote tokens come once in so many launches. */
const ODD_ONCE_IN = 4;

/**
 * One of everything that can be launched, odd quote tokens in turn; every other standard launch gives its Fee Key to
 * another wallet.
 */
export function createWishes(dice: Dice): () => LaunchWish {
  let odd = 0;
  return () => {
    const isOdd = dice(ODD_ONCE_IN) === 0;
    const wish = isOdd ? ODD_WISHES[odd++ % ODD_WISHES.length]! : WISHES[dice(WISHES.length)]!;
    const isGiven = dice(2) === 0 && !('mode' in wish.changes);
    return { ...wish, isGiven };
  };
}

/** Every other market has an odd quote token. */
const MARKETS = WISHES.flatMap((wish, n) => [wish, ODD_MARKETS[n % ODD_MARKETS.length]!]);

/** The nth market's launch: every kind in turn. */
export function wishOf(n: number): LaunchWish {
  return MARKETS[n % MARKETS.length]!;
}

/** Whole tokens of a pair that are worth so many USD, as the desk takes them. */
export function worth(pair: SeedPair, usd: number): string {
  return (usd / Number(pair.usd)).toFixed(Math.min(pair.decimals, 6));
}
