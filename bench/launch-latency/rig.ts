import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection as TemporalConnection, Client } from '@temporalio/client';
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import bs58 from 'bs58';
import { createQuoteSealer, type QuoteSealer } from '../../api/launch/sealed-quote.ts';
import { termsDocument } from '../../domain/launch/terms-document.ts';
import { standInAdapter } from '../../dev/stand-in/stand-in-adapter.ts';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { LaunchBuilder } from '../../chain/launch/launch-builder.ts';
import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import { createJitoRelay } from '../../chain/relay/jito-relay.ts';
import { createRpc, type Rpc } from '../../chain/rpc/rpc.ts';
import { hasMetadataProgram } from '../../chain/tokens/metaplex.ts';
import { withoutLookupTables } from '../../chain/transactions/lookup-table.ts';
import { type NamedKey, parseKeyList } from '../../config/secrets.ts';
import { type Api, createApi, type LaunchWish } from '../../client/index.ts';
import { fundWithSol } from '../../dev/demo/fund.ts';
import type { OwnStack } from '../own-stack.ts';

export interface Rig {
  readonly api: Api;
  readonly creator: Keypair;
  readonly wish: LaunchWish;
  readonly rpc: Rpc;
  readonly relay: BundleRelay;
  readonly builder: LaunchBuilder;
  readonly sealer: QuoteSealer;
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  readonly temporal: Client;
  close(): Promise<void>;
}

const ENVIRONMENT = 'local';
const LOGO = join(import.meta.dirname, '../../dev/demo/assets/driftwood.png');

export async function createRig({ stack, keys }: OwnStack, launches: number): Promise<Rig> {
  const rpc = createRpc({ endpoints: [stack.rpcUrl] });
  const context = { environment: ENVIRONMENT, genesisHash: await rpc.genesisHash() };
  const creator = Keypair.generate();
  await fundWithSol(rpc.connection, creator.publicKey, Math.ceil(launches * 0.4) * LAMPORTS_PER_SOL);
  const api = createApi({ url: stack.apiUrl });
  const relay = createJitoRelay({ url: stack.blockEngineUrl });
  const connection = await TemporalConnection.connect({ address: stack.temporalAddress });
  return {
    api,
    creator,
    rpc,
    relay,
    context,
    wish: await standardLaunch(api, creator),
    builder: builderOf({ stack, keys }, rpc, context),
    sealer: createQuoteSealer(quoteKeysOf(parseKeyList('QUOTE_KEYS', keys.QUOTE_KEYS)), context),
    seeds: parseKeyList('LAUNCH_SEEDS', keys.LAUNCH_SEEDS).map(({ id, key }) => ({ id, secret: key })),
    temporal: new Client({ connection, namespace: stack.temporalNamespace }),
    close: async () => {
      relay.close();
      await connection.close();
    },
  };
}

async function standardLaunch(api: Api, creator: Keypair): Promise<LaunchWish> {
  const {
    pairs: [pair],
  } = await api.ask('GET /pairs', { query: { launchable: true } });
  if (!pair) throw new Error('the stack lists no launchable pair');
  const logo = `data:image/png;base64,${(await readFile(LOGO)).toString('base64')}`;
  const creatorWallet = creator.publicKey.toBase58();
  return { creatorWallet, quoteMint: pair.mint, name: 'Stopwatch', symbol: 'WATCH', mode: 'standard', logo };
}

function builderOf({ keys }: OwnStack, rpc: Rpc, { genesisHash }: KeyContext): LaunchBuilder {
  const seed = Uint8Array.from(Buffer.from(keys.STAND_IN_SEED, 'base64'));
  const keypair = (secret: string) => Keypair.fromSecretKey(bs58.decode(secret));
  return {
    exchange: standInAdapter(seed).open(rpc.connection, genesisHash),
    platform: keypair(keys.PLATFORM_SECRET_KEY),
    wallets: {
      platform: keypair(keys.PLATFORM_SECRET_KEY).publicKey,
      rewards: keypair(keys.REWARDS_SECRET_KEY).publicKey,
    },
    treasury: keypair(keys.TREASURY_SECRET_KEY),
    hasMetadataProgram: () => hasMetadataProgram(rpc),
    rentFor: async (bytes) => BigInt(await rpc.connection.getMinimumBalanceForRentExemption(bytes)),
    termsKey: (terms) => Promise.resolve(createHash('sha256').update(termsDocument(terms)).digest('base64url')),
    lookupTables: withoutLookupTables,
  };
}

function quoteKeysOf(keys: readonly NamedKey[]) {
  const [first, ...others] = keys.map(({ id, key }) => ({ id, secret: key }));
  if (!first) throw new Error('QUOTE_KEYS names no key');
  return [first, ...others] as const;
}
