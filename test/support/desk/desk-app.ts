import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client, Connection as TemporalConnection } from '@temporalio/client';
import { Connection, Keypair } from '@solana/web3.js';
import { pino } from 'pino';
import { composeLaunching } from '../../../api/launch/compose.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import type { Variables } from '../../../config/environment.ts';
import { connect, type Db } from '../../../db/connect.ts';
import { type BlockEngine, startBlockEngine } from '../../../dev/block-engine/block-engine.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { seedStack } from '../../../dev/seed/index.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { deskExtension, type DeskSettings } from '../../../dev/desk/desk.ts';
import { standInOf } from '../exchange/stand-in-of.ts';
import { LOCAL_VARIABLES, testConfig } from '../api/api-config.ts';
import { testApp } from '../api/test-app.ts';

/** An answer of the API as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The API with its desk, listening, on the local parts a stack has. */
export interface DeskUnderTest {
  readonly app: ApiInstance;
  readonly port: number;
  readonly db: Db;
  readonly launching: ApiDeps['launching'];
  readonly localnet: Localnet;
  readonly engine: BlockEngine;
  readonly connection: Connection;
  /** `path` is relative to the desk; headers replace those a program of this machine sends. */
  post(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

const SLOT_MS = 40;

/** Starts everything; `seeded` also writes the local market. */
export async function startDesk(
  variables: Variables = {},
  { seeded = false, ...settings }: { readonly seeded?: boolean } & Partial<DeskSettings> = {},
): Promise<DeskUnderTest> {
  const localnet = await startLocalnet({ slotMs: SLOT_MS });
  const engine = await startBlockEngine({ port: 0, rpcUrl: localnet.rpcUrl });
  const { url: databaseUrl } = await createTestDatabase();
  const db = connect(databaseUrl);
  if (seeded) await seed(localnet.rpcUrl, databaseUrl);
  const config = testConfig({
    SOLANA_RPC_URL: localnet.rpcUrl,
    ...variables,
  });
  const client = new Client({ connection: TemporalConnection.lazy(config.temporal.connection) });
  const rpc = createRpc({ endpoints: config.solana.rpcUrls });
  const launching = composeLaunching(config, {
    db,
    rpc,
    client,
    genesisHash: localnet.genesisHash,
    exchange: standInOf(LOCAL_VARIABLES),
    logger: pino({ level: 'silent' }),
  });
  const extension = deskExtension({ blockEngineAdminUrl: engine.adminUrl, ...settings });
  const app = await testApp({ config, db, client, launching, extension });
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  return {
    app,
    port,
    db,
    launching,
    localnet,
    engine,
    connection: new Connection(localnet.rpcUrl, 'confirmed'),
    post: (path, body, headers) => post(port, `/local/${path}`, body, headers),
    async close() {
      await app.close();
      await engine.close();
      await localnet.close();
      await db.destroy();
    },
  };
}

function seed(rpcUrl: string, databaseUrl: string): Promise<unknown> {
  const [treasury, platform, rewards] = [wallet(), wallet(), wallet()];
  return seedStack({
    rpcUrl,
    databaseUrl,
    treasury,
    platform,
    rewards,
    environment: 'test',
    seedId: 'seed-1',
    onProgress: () => undefined,
  });
}

/** A new wallet's address. */
export function wallet(): string {
  return Keypair.generate().publicKey.toBase58();
}

/** Not fetch: it lets nobody choose the Host header. */
function post(port: number, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const type = payload === undefined ? {} : { 'content-type': 'application/json' };
  const options = { host: '127.0.0.1', port, path, method: 'POST', headers: { ...type, ...headers } };
  return new Promise((resolve, reject) => {
    request(options, (response) => {
      text(response).then((received) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received });
      }, reject);
    })
      .on('error', reject)
      .end(payload);
  });
}
