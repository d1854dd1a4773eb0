import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import { localMint } from './addresses.ts';

export interface SeedPair {
  readonly mint: PublicKey;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly tokenProgram: PublicKey;
  /** A Token-2022 mint takes so much of each transfer, basis points; absent: the mint has no such extension. */
  readonly transferFeeBps?: number;
  readonly category: string;
  readonly usd: string;
  /** Whole tokens. */
  readonly treasuryTokens: bigint;
  readonly retired: boolean;
  readonly holders: number;
}

/** Closed to new launches. */
export const RETIRED_CATEGORY = 'legacy';

export const SOL_USD = '150';

export const AIRDROP_HOLDERS = 6_000;

const defaults = { tokenProgram: TOKEN_PROGRAM_ID, retired: false, holders: 0 };

/** Pairs with both mint orders, token programs, and kinds of retirement. */
export const SEED_PAIRS: readonly SeedPair[] = [
  {
    ...defaults,
    mint: localMint('USDL', 0x00),
    symbol: 'USDL',
    name: 'Local Dollar',
    decimals: 6,
    category: 'stablecoins',
    usd: '1',
    treasuryTokens: 50_000_000n,
  },
  {
    ...defaults,
    mint: localMint('LBIT', 0xff),
    symbol: 'LBIT',
    name: 'Local Bit',
    decimals: 8,
    tokenProgram: TOKEN_2022_PROGRAM_ID,
    category: 'majors',
    usd: '64250.5',
    treasuryTokens: 1_000n,
  },
  {
    ...defaults,
    mint: localMint('CORAL', 0x7f),
    symbol: 'CORAL',
    name: 'Coral',
    decimals: 9,
    category: 'communities',
    usd: '0.042',
    treasuryTokens: 500_000_000n,
    holders: AIRDROP_HOLDERS,
  },
  {
    ...defaults,
    mint: localMint('LETH', 0x40),
    symbol: 'LETH',
    name: 'Local Ether',
    decimals: 8,
    category: 'majors',
    usd: '2500',
    treasuryTokens: 10_000n,
    retired: true,
  },
  {
    ...defaults,
    mint: localMint('RELIC', 0xc0),
    symbol: 'RELIC',
    name: 'Relic',
    decimals: 6,
    category: RETIRED_CATEGORY,
    usd: '0.75',
    treasuryTokens: 1_000_000n,
  },
];
