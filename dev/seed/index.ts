import { LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { connect } from '../../db/connect.ts';
import { AIRDROP_HOLDERS, SEED_PAIRS } from './local-pairs.ts';
import { openFeatures } from './open-features.ts';
import { listPairs } from './list-pairs.ts';
import { labelWallets } from './label-wallets.ts';
import { createLocalChain, type LocalChain } from './local-chain.ts';
import { writeLanes } from './write-lanes.ts';
import { type PlatformWallets, writeToken } from './write-tokens.ts';

export interface SeedOptions {
  readonly rpcUrl: string;
  readonly databaseUrl: string;
  /** base58. */
  readonly treasury: string;
  readonly platform: string;
  readonly rewards: string;
  readonly environment: string;
  readonly seedId: string;
  /** Default {@link AIRDROP_HOLDERS}. */
  readonly holders?: number;
  readonly onProgress: (text: string) => void;
}

export interface SeedReport {
  readonly written: readonly string[];
  readonly ms: number;
}

const SOL = { treasury: 10_000, platform: 1_000, rewards: 1_000 } as const satisfies Record<
  keyof PlatformWallets,
  number
>;

/** Seeds quote tokens with holders and prices, platform wallets with SOL and inventory. Adds only what is missing. */
export async function seedStack(options: SeedOptions): Promise<SeedReport> {
  const started = performance.now();
  const wallets = {
    treasury: new PublicKey(options.treasury),
    platform: new PublicKey(options.platform),
    rewards: new PublicKey(options.rewards),
  };
  const chain = createLocalChain(options.rpcUrl);
  const holders = options.holders ?? AIRDROP_HOLDERS;
  const written = await writeChain(chain, wallets, holders);
  await writeDatabase(options, chain, wallets);
  const ms = Math.round(performance.now() - started);
  options.onProgress(
    `seeded ${SEED_PAIRS.length} quote tokens (${written.length} new), one with ${holders} holders (${ms} ms)`,
  );
  return { written, ms };
}

async function writeChain(chain: LocalChain, wallets: PlatformWallets, holders: number): Promise<string[]> {
  const written: string[] = [];
  for (const pair of SEED_PAIRS) {
    const held = { ...pair, holders: Math.min(pair.holders, holders) };
    if (await writeToken(chain, held, wallets)) written.push(pair.symbol);
  }
  for (const name of ['treasury', 'platform', 'rewards'] as const) {
    await chain.fundTo(wallets[name], BigInt(SOL[name]) * BigInt(LAMPORTS_PER_SOL));
  }
  return written;
}

async function writeDatabase(options: SeedOptions, chain: LocalChain, wallets: PlatformWallets): Promise<void> {
  const db = connect(options.databaseUrl, { applicationName: 'slipway-seed', maxConnections: 1 });
  try {
    await listPairs(db, new Date());
    await openFeatures(db);
    await labelWallets(db);
    await writeLanes(chain, db, wallets, options);
  } finally {
    await db.destroy();
  }
}
