import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import * as pairs from '../../../db/pairs.ts';
import { localMint } from '../../../dev/seed/addresses.ts';
import { createLocalChain } from '../../../dev/seed/local-chain.ts';
import type { SeedPair } from '../../../dev/seed/local-pairs.ts';
import { writeToken } from '../../../dev/seed/write-tokens.ts';
import { addressOf, loadKeys } from '../../../dev/stack/keys.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import type { LaunchWish } from '../drill/load.ts';

const rest = { category: 'communities', retired: false, holders: 0, tokenProgram: TOKEN_PROGRAM_ID };

/** Quote tokens with few decimals, cheap and dear, of both programs, before and after launched mints. */
export const ODD_PAIRS: readonly SeedPair[] = [
  odd({ symbol: 'ODD0', firstByte: 0x01, decimals: 0, usd: '0.002', treasuryTokens: 500_000_000n }),
  odd({ symbol: 'ODD1', firstByte: 0xfe, decimals: 1, usd: '0.05', treasuryTokens: 100_000_000n }),
  odd({ symbol: 'ODD2', firstByte: 0x80, decimals: 2, usd: '0.35', treasuryTokens: 100_000_000n, is2022: true }),
  odd({ symbol: 'ODD3', firstByte: 0xfd, decimals: 3, usd: '3', treasuryTokens: 10_000_000n }),
  odd({ symbol: 'ODD5', firstByte: 0x02, decimals: 5, usd: '120', treasuryTokens: 1_000_000n, is2022: true }),
];

interface Odd extends Pick<SeedPair, 'symbol' | 'decimals' | 'usd' | 'treasuryTokens'> {
  readonly firstByte: number;
  readonly is2022?: true;
}

function odd({ firstByte, is2022, ...facts }: Odd): SeedPair {
  const tokenProgram = is2022 ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID;
  return { ...rest, ...facts, tokenProgram, name: facts.symbol, mint: localMint(facts.symbol, firstByte) };
}

/** Plain, with dev buys of both kinds, and reward launches. */
export const ODD_WISHES: readonly LaunchWish[] = ODD_PAIRS.flatMap((pair, n) => [
  { pair, sol: 5, changes: {} },
  n % 2 === 0
    ? { pair, sol: 20, changes: { mode: 'reward', rewardTaxBps: 100, devBuyPercent: 1 } }
    : { pair, sol: 5, changes: { devBuySol: 0.2 } },
]);

/** Puts them on the chain, with the treasury's stock, and lists them. */
export async function listOddPairs(stack: RealStack): Promise<void> {
  const { rpcUrl } = stack.stack;
  const chain = createLocalChain(rpcUrl);
  const keys = loadKeys(stack.layout.keysFile, {});
  const walletOf = (secret: string) => new PublicKey(addressOf(secret));
  const wallets = {
    treasury: new PublicKey(stack.stack.treasury),
    platform: walletOf(keys.PLATFORM_SECRET_KEY),
    rewards: walletOf(keys.REWARDS_SECRET_KEY),
  };
  for (const pair of ODD_PAIRS) {
    await writeToken(chain, pair, wallets);
    await pairs.add(stack.db, listingOf(pair), { actor: 'campaign' });
  }
}

function listingOf({ mint, symbol, name, decimals, category, tokenProgram }: SeedPair): pairs.PairListing {
  return {
    mint: mint.toBase58(),
    symbol,
    name,
    decimals,
    category,
    logoUrl: null,
    tokenProgram: tokenProgram.toBase58(),
    priceSource: 'jupiter',
    priceSourceId: mint.toBase58(),
    priceMaxAgeMs: 60_000,
    priceMaxConfidenceBps: 100,
  };
}

/** The symbol of a quote token that is one of them. */
export function oddSymbol(mint: PublicKey): string | null {
  return ODD_PAIRS.find((pair) => pair.mint.equals(mint))?.symbol ?? null;
}

/** How many tokens were launched with each of these symbols. */
export function oddLaunches(symbols: readonly (string | null)[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    ODD_PAIRS.map(({ symbol }) => [symbol, symbols.filter((launched) => launched === symbol).length]),
  );
}
