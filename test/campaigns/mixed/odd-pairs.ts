import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { localMint } from '../../../dev/seed/addresses.ts';
import { createLocalChain } from '../../../dev/seed/local-chain.ts';
import type { SeedPair } from '../../../dev/seed/local-pairs.ts';
import { writeToken } from '../../../dev/seed/write-tokens.ts';
import { addressOf, loadKeys } from '../../../dev/stack/keys.ts';
import { standInAdapter } from '../../../dev/stand-in/stand-in-adapter.ts';
import { ops } from '../../support/ops/ops-run.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import type { LaunchWish } from '../drill/load.ts';

const rest = { category: 'communities', retired: false, holders: 0 };

interface Odd extends Pick<SeedPair, 'symbol' | 'decimals' | 'usd' | 'treasuryTokens' | 'transferFeeBps'> {
  readonly firstByte: number;
  readonly is2022?: true;
}

function odd({ firstByte, is2022, ...facts }: Odd): SeedPair {
  const tokenProgram = is2022 || facts.transferFeeBps !== undefined ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID;
  return { ...rest, ...facts, tokenProgram, name: facts.symbol, mint: localMint(facts.symbol, firstByte) };
}

/** Token-2022 with the extension of transfer fees, which takes nothing, and which takes 2.5 %. */
const [UNTAXED, TAXED] = [
  odd({ symbol: 'TAX0', firstByte: 0x81, decimals: 6, usd: '1.5', treasuryTokens: 50_000_000n, transferFeeBps: 0 }),
  odd({ symbol: 'TAX250', firstByte: 0x03, decimals: 9, usd: '0.4', treasuryTokens: 50_000_000n, transferFeeBps: 250 }),
];

/** Of both programs, before and after launched mints, with few and many decimals, cheap and dear. */
const PLAIN: readonly SeedPair[] = [
  odd({ symbol: 'ODD0', firstByte: 0x01, decimals: 0, usd: '0.002', treasuryTokens: 500_000_000n }),
  odd({ symbol: 'ODD1', firstByte: 0xfe, decimals: 1, usd: '0.05', treasuryTokens: 100_000_000n }),
  odd({ symbol: 'ODD2', firstByte: 0x80, decimals: 2, usd: '0.35', treasuryTokens: 100_000_000n, is2022: true }),
  odd({ symbol: 'ODD3', firstByte: 0xfd, decimals: 3, usd: '3', treasuryTokens: 10_000_000n }),
  odd({ symbol: 'ODD5', firstByte: 0x02, decimals: 5, usd: '120', treasuryTokens: 1_000_000n, is2022: true }),
  odd({ symbol: 'ODD9', firstByte: 0xfc, decimals: 9, usd: '64000', treasuryTokens: 10_000n, is2022: true }),
];

/** Quote tokens that `pairs add` accepts. */
export const ODD_PAIRS: readonly SeedPair[] = [...PLAIN, UNTAXED, TAXED];

/** Quote tokens that `pairs add` refuses, and what it says. */
export const REFUSED_PAIRS: readonly { readonly pair: SeedPair; readonly says: string }[] = [
  {
    pair: odd({ symbol: 'TAX501', firstByte: 0x04, decimals: 6, usd: '1', treasuryTokens: 1n, transferFeeBps: 501 }),
    says: 'transfers take 501 bps, at most 500 are borne',
  },
  {
    pair: odd({ symbol: 'DEAR0', firstByte: 0x05, decimals: 0, usd: '64000', treasuryTokens: 1n }),
    says: 'cannot be launched with at 64000 USD',
  },
  {
    pair: odd({ symbol: 'ODD19', firstByte: 0x06, decimals: 19, usd: '1', treasuryTokens: 0n }),
    says: 'it has 19 decimals, at most 18 are possible',
  },
];

/** Each pair once plain, then with dev buys of both kinds and as reward launches. Taxed tokens have no dev buys. */
export const ODD_WISHES: readonly LaunchWish[] = [
  ...ODD_PAIRS.map((pair) => ({ pair, sol: 5, changes: {} })),
  ...[...PLAIN, UNTAXED].map((pair, n) =>
    n % 2 === 0
      ? { pair, sol: 20, changes: { mode: 'reward', rewardTaxBps: 100, devBuyPercent: 1 } }
      : { pair, sol: 5, changes: { devBuySol: 0.2 } },
  ),
  { pair: TAXED, sol: 5, changes: { mode: 'reward', rewardTaxBps: 300 } },
];

/** Odd quote tokens whose launches are traded, claimed from and rewarded. */
export const ODD_MARKETS: readonly LaunchWish[] = [
  { pair: TAXED, sol: 5, changes: { mode: 'reward', rewardTaxBps: 100 } },
  { pair: UNTAXED, sol: 5, changes: { mode: 'reward', rewardTaxBps: 300, devBuyPercent: 1 } },
  { pair: TAXED, sol: 5, changes: {} },
];

/** Wishes that prepare refuses, and what it says. */
export const REFUSED_WISHES: readonly { readonly wish: string; readonly changes: object; readonly says: string }[] = [
  {
    wish: 'a dev buy with TAX250',
    changes: { quoteMint: TAXED.mint.toBase58(), devBuyPercent: 1 },
    says: 'dev buys with TAX250 are not possible at the moment: its transfers are taxed with 250 bps',
  },
  ...REFUSED_PAIRS.map(({ pair }) => ({
    wish: `a launch with ${pair.symbol}`,
    changes: { quoteMint: pair.mint.toBase58() },
    says: 'is not in the pairs list',
  })),
];

/**
 * Puts all of them on the chain, with the treasury's stock, and lists them as an operator does.
 *
 * @param variables of the platform's prices
 * @throws where `pairs add` refuses one that it must accept, or does not refuse another in its words
 */
export async function listOddPairs(stack: RealStack, variables: Record<string, string>): Promise<void> {
  const chain = createLocalChain(stack.stack.rpcUrl);
  const keys = loadKeys(stack.layout.keysFile, {});
  const walletOf = (secret: string) => new PublicKey(addressOf(secret));
  const wallets = {
    treasury: new PublicKey(stack.stack.treasury),
    platform: walletOf(keys.PLATFORM_SECRET_KEY),
    rewards: walletOf(keys.REWARDS_SECRET_KEY),
  };
  const exchange = standInAdapter(Buffer.from(keys.STAND_IN_SEED, 'base64'));
  const env = { DATABASE_URL: stack.stack.databaseUrl, SOLANA_RPC_URL: stack.connection.rpcEndpoint, ...variables };
  const add = async (pair: SeedPair) => {
    await writeToken(chain, pair, wallets);
    const { mint, symbol, category } = pair;
    const words = `pairs add ${mint.toBase58()} --symbol ${symbol} --category ${category} --price-source jupiter`;
    return ops(env, `${words} --actor campaign --json`, undefined, () => exchange);
  };
  for (const pair of ODD_PAIRS) {
    const { status, message, printed } = await add(pair);
    if (status !== 0 || !printed.includes('"launchable":true')) {
      throw new Error(`${pair.symbol} was not listed: ${message ?? printed}`);
    }
  }
  for (const { pair, says } of REFUSED_PAIRS) {
    const { status, message } = await add(pair);
    if (status !== 1 || !message?.includes(says)) {
      throw new Error(`${pair.symbol} was not refused because ${says}; pairs add ended with ${status}: ${message}`);
    }
  }
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
