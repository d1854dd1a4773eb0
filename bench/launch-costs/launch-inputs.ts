import { createHash } from 'node:crypto';
import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import { termsDocument } from '../../domain/launch/terms-document.ts';
import { createStandInExchange } from '../../dev/stand-in/stand-in-exchange.ts';
import { CLMM_PROGRAM_ID, LOCK_PROGRAM_ID } from '../../chain/exchange/raydium/programs.ts';
import { createRaydiumExchange } from '../../chain/exchange/raydium/raydium-exchange.ts';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { LaunchBuilder } from '../../chain/launch/launch-builder.ts';
import { exchangeEntries, pairEntries } from '../../chain/launch/table-contents.ts';
import { createEndpoint } from '../../chain/rpc/json-rpc.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { hasMetadataProgram } from '../../chain/tokens/metaplex.ts';
import { agreedLookupTablesAt, withoutLookupTables } from '../../chain/transactions/lookup-table.ts';
import { createEngineChain, type EngineChain } from '../../dev/block-engine/chain.ts';
import { MAINNET_TIP_ACCOUNTS } from '../../dev/block-engine/tip-accounts.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { localMint } from '../../dev/seed/addresses.ts';
import { createLocalChain, type LocalChain } from '../../dev/seed/local-chain.ts';
import type { SeedPair } from '../../dev/seed/local-pairs.ts';
import { raydiumTiers } from '../../dev/seed/raydium-tiers.ts';
import { writeToken } from '../../dev/seed/write-tokens.ts';
import { tableAccount } from './table-account.ts';
import type { LaunchVariant } from './variants.ts';

/** Fixed seeds: addresses, and so compute units, are reproducible. */
export interface Fixture {
  readonly localnet: Localnet;
  readonly connection: Connection;
  readonly engine: EngineChain;
  readonly builder: LaunchBuilder;
  readonly creator: Keypair;
  readonly seed: LaunchSeed;
  readonly context: KeyContext;
  readonly pairs: Readonly<Record<LaunchVariant['quoteProgram'], SeedPair>>;
  readonly hasMetadata: boolean;
  readonly hasPools: boolean;
  /** Local, or Raydium's real lock program. */
  readonly hasLocks: boolean;
  close(): Promise<void>;
}

/** The figures belong to the code, not to a cluster. */
const CONTEXT: KeyContext = { environment: 'launch-costs', genesisHash: 'launch-costs' };

const pair = { category: 'costs', usd: '1', treasuryTokens: 1_000_000n, retired: false, holders: 0, decimals: 6 };

/** Base mints on either side are found quickly. */
const PAIRS: Fixture['pairs'] = {
  classic: { ...pair, symbol: 'MID', name: 'Middle', mint: localMint('MID', 0x7f), tokenProgram: TOKEN_PROGRAM_ID },
  'token-2022': {
    ...pair,
    symbol: 'MID22',
    name: 'Middle 2022',
    mint: localMint('MID22', 0x7f),
    tokenProgram: TOKEN_2022_PROGRAM_ID,
  },
};

/** Without its programs a Raydium launch is built, not landed. */
export type FixtureExchange = Exchange['kind'];

/**
 * Slots move on command.
 *
 * @param programsDir programs to deploy
 */
export async function openFixture(programsDir?: string, kind: FixtureExchange = 'local'): Promise<Fixture> {
  const localnet = await startLocalnet({ slotMs: 0, ...(programsDir !== undefined && { programsDir }) });
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const engine = createEngineChain(createEndpoint({ url: localnet.rpcUrl, index: 0, timeoutMs: 10_000, fetch }));
  const builder = kind === 'local' ? builderOn(connection) : raydiumBuilderOn(connection);
  await furnish(localnet, builder);
  const deployed = Object.values(localnet.programs);
  const hasMetadata = await hasMetadataProgram(rpcOf(connection));
  return {
    localnet,
    connection,
    engine,
    builder,
    hasMetadata,
    context: CONTEXT,
    pairs: PAIRS,
    hasPools: deployed.includes(CLMM_PROGRAM_ID.toBase58()),
    hasLocks: kind === 'local' || deployed.includes(LOCK_PROGRAM_ID.toBase58()),
    creator: keypairOf('creator'),
    seed: { id: 'launch-costs', secret: secretOf('launch seed') },
    close: () => localnet.close(),
  };
}

const rpcOf = ({ rpcEndpoint }: Connection) => createRpc({ endpoints: [rpcEndpoint] });

function builderOn(connection: Connection): LaunchBuilder {
  const platform = keypairOf('platform');
  return {
    exchange: createStandInExchange({ connection, seed: secretOf('exchange'), genesisHash: CONTEXT.genesisHash }),
    platform,
    wallets: { platform: platform.publicKey, rewards: keypairOf('rewards').publicKey },
    treasury: keypairOf('treasury'),
    hasMetadataProgram: () => hasMetadataProgram(rpcOf(connection)),
    rentFor: async (bytes) => BigInt(await connection.getMinimumBalanceForRentExemption(bytes)),
    termsKey: (terms) => Promise.resolve(createHash('sha256').update(termsDocument(terms)).digest('base64url')),
    lookupTables: withoutLookupTables,
  };
}

function raydiumBuilderOn(connection: Connection): LaunchBuilder {
  return {
    ...builderOn(connection),
    exchange: createRaydiumExchange({ connection, feeKeyMetadata: false }),
    hasMetadataProgram: () => Promise.resolve(true),
    lookupTables: agreedLookupTablesAt(rpcOf(connection), [keypairOf('lookup table').publicKey.toBase58()]),
  };
}

/** A tip account must exist. */
async function furnish(localnet: Localnet, { exchange, treasury, wallets }: LaunchBuilder): Promise<void> {
  const chain = createLocalChain(localnet.rpcUrl);
  for (const token of Object.values(PAIRS))
    await writeToken(chain, token, { treasury: treasury.publicKey, ...wallets });
  if (exchange.kind === 'raydium') await furnishRaydium(chain, exchange, treasury.publicKey);
  for (const wallet of [treasury.publicKey.toBase58(), tipAccount()]) localnet.control.fund(wallet, 1_000_000_000n);
  localnet.control.advanceSlots(2);
}

async function furnishRaydium(chain: LocalChain, exchange: Exchange, treasury: PublicKey): Promise<void> {
  const pairs = Object.values(PAIRS).map((each) => ({
    symbol: each.symbol,
    decimals: each.decimals,
    mint: each.mint.toBase58(),
    tokenProgram: each.tokenProgram.toBase58(),
  }));
  const entries = [...exchangeEntries(exchange), ...pairs.flatMap((each) => pairEntries(each, treasury))];
  const addresses = entries.map(({ address }) => address);
  await chain.writeAccounts([...raydiumTiers(), tableAccount(keypairOf('lookup table').publicKey, addresses)]);
}

export function tipAccount(): string {
  const [account] = MAINNET_TIP_ACCOUNTS;
  if (account === undefined) throw new Error('the block engine has no tip account');
  return account;
}

function keypairOf(label: string): Keypair {
  return Keypair.fromSeed(secretOf(label));
}

function secretOf(label: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`slipway launch-costs ${label}`).digest());
}
