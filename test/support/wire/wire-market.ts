import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import type { ApiInstance } from '../../../api/instance.ts';
import * as flywheelTokens from '../../../db/buyback/flywheel-tokens.ts';
import { connect, type Db } from '../../../db/connect.ts';
import * as tokens from '../../../db/tokens.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { testConfig } from '../api/api-config.ts';
import { testApp, testDeps } from '../api/test-app.ts';
import { listPair } from '../api/test-pairs.ts';
import { bookBuyback } from '../buyback/buyback-rows.ts';
import { bookBurn, bookHarvest } from '../fee-sweep/revenue-rows.ts';
import { address } from '../launch/launch-rows.ts';
import { launchedToken, rewardFacts, type TokenFacts } from '../launch/launched-token.ts';
import { insertSwaps } from '../market/swap-rows.ts';
import { insertDistribution, insertHarvest, insertPaidRound } from '../reward/reward-rows.ts';

/** The genesis hash that clients of the field know. */
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const ROOT = '/api/public/v1';

/** Names of the tokens of a wire market: each is another kind. */
export type TokenName = 'platform' | 'graduated' | 'ranked' | 'taxed' | 'taxedMore' | 'untraded';

/** An API with something of everything in its database. */
export interface WireMarket {
  readonly db: () => Db;
  readonly app: () => ApiInstance;
  readonly mint: (name: TokenName) => string;
  /** Mints of the pairs: `USDC`, and two that share a symbol but for its case. */
  readonly quotes: { readonly usdc: string; readonly stock: string; readonly twin: string };
  /** An answer's `data`, of a path under the versioned root. */
  readonly read: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly get: (path: string) => Promise<LightMyRequestResponse>;
}

/** Gives a test file such an API. */
export function useWireMarket(): WireMarket {
  const quotes = { usdc: address(), stock: address(), twin: address() };
  const mints = new Map<TokenName, string>();
  let [db, app]: [Db | undefined, ApiInstance | undefined] = [undefined, undefined];
  const mint = (name: TokenName) => mints.get(name) ?? '';
  beforeAll(async () => {
    db = connect((await createTestDatabase()).url);
    await listPairs(db, quotes);
    for (const [name, facts] of Object.entries(factsOf(quotes))) {
      mints.set(name as TokenName, (await launchedToken(db, facts)).mint);
    }
    await seedMoney(db, mint, quotes.usdc);
    app = await wireApp(db, mint('platform'));
  });
  afterAll(async () => {
    await app?.close();
    await db?.destroy();
  });
  const get = (path: string) => app!.inject(`${ROOT}${path}`);
  const read = async (path: string) => {
    const answer = await get(path);
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`);
    return answer.json<{ data: Readonly<Record<string, unknown>> }>().data;
  };
  return { db: () => db!, app: () => app!, mint, quotes, get, read };
}

function wireApp(db: Db, platformToken: string): Promise<ApiInstance> {
  const config = testConfig({ RATE_LIMIT_API: '1000000', PLATFORM_TOKEN_MINT: platformToken });
  const deps = testDeps({ db, config });
  const scope = { ...deps.launching.scope, genesisHash: MAINNET_GENESIS };
  return testApp({ ...deps, launching: { ...deps.launching, scope } });
}

async function listPairs(db: Db, { usdc, stock, twin }: WireMarket['quotes']): Promise<void> {
  await listPair(db, { mint: usdc, symbol: 'USDC', name: 'USD Coin', category: 'currency' });
  await listPair(db, { mint: stock, symbol: 'NVDAx', name: 'NVIDIA', category: 'xstock', decimals: 8 });
  await listPair(db, { mint: twin, symbol: 'nvdaX', name: 'Another', category: 'custom' });
}

const hour = (of: number) => new Date(Date.UTC(2026, 10, 20, of));

function factsOf({ usdc, stock }: WireMarket['quotes']): Record<TokenName, TokenFacts> {
  const paired = { quoteMint: usdc, quoteSymbol: 'USDC' };
  const [low, high] = [rewardFacts(100), rewardFacts(300)];
  const quoteToken = { mint: usdc, symbol: 'USDC', decimals: 6, tokenProgram: address() };
  return {
    platform: { token: paired, launchedAt: hour(1), market: { marketCapUsd: '9000', volume24hUsd: '3' } },
    graduated: {
      token: paired,
      launchedAt: hour(2),
      market: { marketCapUsd: '41000', volume24hUsd: '10', status: 'graduated' },
    },
    ranked: {
      token: { quoteMint: stock, quoteSymbol: 'NVDAx' },
      launchedAt: hour(3),
      market: { marketCapUsd: '32000', volume24hUsd: '99.5', status: 'aboutToGraduate', priceChange24hPercent: null },
    },
    taxed: {
      terms: { ...low.terms, quoteToken },
      token: { ...low.token, ...paired },
      launchedAt: hour(4),
      market: { marketCapUsd: '7000.25', volume24hUsd: '50', liquidityUsd: null },
    },
    taxedMore: {
      terms: { ...high.terms, quoteToken },
      token: { ...high.token, ...paired },
      launchedAt: hour(5),
      market: { marketCapUsd: '6000', volume24hUsd: '1' },
    },
    untraded: { token: paired, launchedAt: hour(6) },
  };
}

async function seedMoney(db: Db, mint: (name: TokenName) => string, usdc: string): Promise<void> {
  await seedTrades(db, mint('graduated'));
  await seedRevenue(db, mint, usdc);
  await seedRewards(db, mint);
  await tokens.setLinks(
    db,
    mint('graduated'),
    { website: 'https://w.example', twitter: 'https://x.com/w', telegram: 'https://t.me/w' },
    { actor: 'test' },
  );
  // What is recorded of a launch without links: its own page.
  await tokens.setLinks(db, mint('untraded'), { website: 'https://site.example/token' }, { actor: 'test' });
}

async function seedTrades(db: Db, mint: string): Promise<void> {
  await insertSwaps(db, mint, [
    { side: 'buy', baseRaw: 2_000_000_000_000n, quoteRaw: 20_000_000n },
    { side: 'sell', baseRaw: 333_333_333_333n, quoteRaw: 3_333_333n },
  ]);
}

async function seedRevenue(db: Db, mint: (name: TokenName) => string, usdc: string): Promise<void> {
  const swept = { mint: mint('ranked'), quoteMint: usdc };
  await bookHarvest(db, swept, { harvestedAt: hour(7) });
  await bookHarvest(db, swept, { harvestedAt: new Date(Date.UTC(2026, 10, 17)), valueUsd: '0.1000000001' });
  await bookHarvest(db, swept, { harvestedAt: hour(8), quoteUsd: null, valueUsd: null });
  await flywheelTokens.rank(db, { since: new Date(0), tokens: 10 });
  const bought = { mint: mint('platform'), quoteMint: usdc };
  await bookBuyback(db, bought, { spentRaw: 1_234_567n, boughtRaw: 7_000_000_000_001n });
  await bookBuyback(db, bought, { quoteUsd: null, isBurned: false });
  await bookBurn(db, mint('platform'), { kind: 'buyback', burnedAt: hour(9) });
  await bookBurn(db, mint('platform'), { kind: 'fee-sweep', amountRaw: 10_000_000_000_000_001n, burnedAt: hour(10) });
  await bookBurn(db, mint('platform'), { kind: 'flywheel', valueUsd: null, burnedAt: hour(11) });
}

/** Two coins of which one paid more, to fewer wallets, than the other. */
async function seedRewards(db: Db, mint: (name: TokenName) => string): Promise<void> {
  const [low, high] = [mint('taxed'), mint('taxedMore')];
  await insertPaidRound(db, low, [address(), address(), address()]);
  await insertDistribution(db, low, { paidRaw: 1_000_001n, landedAt: hour(20), recipients: 2 });
  await insertDistribution(db, high, { paidRaw: 90_000_000n, landedAt: hour(20), recipients: 3 });
  await insertDistribution(db, high, { paidRaw: 1n, valueUsd: null, landedAt: hour(19), recipients: 1 });
  await insertHarvest(db, high, { quoteRaw: 95_000_000n, landedAt: hour(18) });
}
