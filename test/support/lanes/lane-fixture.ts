import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, type PublicKey, SystemProgram } from '@solana/web3.js';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { MoneyDeps } from '../../../activities/money/deps.ts';
import { createLanes } from '../../../activities/money/lanes.ts';
import type { Movement } from '../../../activities/money/move-once.ts';
import { deriveLanes, type Lane } from '../../../chain/lanes/lane.ts';
import { createRpc, type Rpc } from '../../../chain/rpc/rpc.ts';
import { compilePurposed, signMovement } from '../../../chain/transactions/purposed.ts';
import { connect, type Db } from '../../../db/connect.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { createLocalChain } from '../../../dev/seed/local-chain.ts';
import { writeLanes } from '../../../dev/seed/write-lanes.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { alwaysDue } from '../money/due.ts';

/** Lamports of one movement: enough for an account of its own. */
export const PAID = 1_000_000n;

/** How a worker of these tests differs from the usual one. */
export interface WorkerOptions {
  /** JSON-RPC addresses; default the chain's own. */
  readonly endpoints?: readonly string[];
  readonly db?: Db;
  readonly fetch?: typeof fetch;
  readonly patienceMs?: number;
}

/** A chain with lanes, a ledger, and a pot that movements pay out of. */
export interface LaneFixture {
  readonly chain: Localnet;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly platform: Keypair;
  readonly pot: Keypair;
  readonly rpc: Rpc;
  readonly lanes: readonly Lane[];
  /** A worker with lanes of its own, as a process has them. */
  worker(options?: WorkerOptions): MoneyDeps;
  /** Pays a holder out of the pot; `lamports` beyond what the pot has make it fail on the chain. */
  payment(purpose: string, holder: PublicKey, lamports?: bigint): Movement;
  /** Lamports of an address at `confirmed`. */
  held(address: PublicKey): Promise<bigint>;
  /** Keeps a copy of the ledger; what it answers puts the ledger back to it, as a restore does. */
  backup(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** ms per slot: a blockhash lives 3.6 s, finality takes 0.7 s. */
const SLOT_MS = 24;

const CONTEXT_ENVIRONMENT = 'test';

/** Starts one. Its `close` leaves nothing. */
export async function startLaneFixture(slotMs = SLOT_MS): Promise<LaneFixture> {
  const chain = await startLocalnet({ slotMs });
  const database = await createTestDatabase();
  const db = connect(database.url, { applicationName: 'test', maxConnections: 25 });
  const [platform, treasury, pot] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
  for (const { publicKey } of [platform, treasury, pot]) chain.control.fund(publicKey.toBase58(), 10n ** 12n);
  const wallets = { platform: platform.publicKey, treasury: treasury.publicKey, rewards: treasury.publicKey };
  const made = { environment: CONTEXT_ENVIRONMENT, seedId: 'seed-1' };
  await writeLanes(createLocalChain(chain.rpcUrl), db, wallets, made);
  const rpc = createRpc({ endpoints: [chain.rpcUrl] });
  const ground = { chain, db, platform, treasury, pot };
  return {
    ...ground,
    rpc,
    databaseUrl: database.url,
    lanes: await deriveLanes(wallets, CONTEXT_ENVIRONMENT),
    worker: (options) => workerOn(ground, options),
    payment: (purpose, holder, lamports) => paymentOf(ground, purpose, holder, lamports),
    held: async (address) => BigInt(await rpc.connection.getBalance(address, 'confirmed')),
    backup: () => backupOf(db),
    close: async () => {
      await chain.close();
      await db.destroy();
      await database.drop();
    },
  };
}

type Parts = Pick<LaneFixture, 'chain' | 'db' | 'platform' | 'pot'> & { readonly treasury: Keypair };

function workerOn({ chain, db: own, platform, treasury }: Parts, options: WorkerOptions = {}): MoneyDeps {
  const { endpoints = [chain.rpcUrl], db = own, fetch, patienceMs = 3_000 } = options;
  const rpc = createRpc({ endpoints, timeoutMs: 5_000, ...(fetch && { fetch }) });
  const logger = pino({ level: process.env['LANES_LOG'] ?? 'silent' });
  const seeds = [{ id: 'seed-1', secret: new Uint8Array(32).fill(5) }];
  const context = { genesisHash: chain.genesisHash, environment: CONTEXT_ENVIRONMENT };
  const following = { pollMs: 40, resendMs: 120, patienceMs };
  const lanes = createLanes({ db, rpc, logger, authorities: { platform, treasury }, seeds, context, ...following });
  return {
    db,
    rpc,
    lanes,
    logger,
    now: () => new Date(),
    sleep: async (ms) => void (await sleep(ms, undefined, { ref: false })),
    heartbeat: () => undefined,
  };
}

function paymentOf({ platform, pot }: Parts, purpose: string, holder: PublicKey, lamports = PAID): Movement {
  return {
    purpose: purpose as Purpose,
    payer: platform.publicKey,
    assertDue: alwaysDue(purpose),
    build: (stamp) => {
      const transfer = { fromPubkey: pot.publicKey, toPubkey: holder, lamports };
      const work = { instructions: [SystemProgram.transfer(transfer)], signers: [], computeUnits: 10_000 };
      const frame = { stamp, payer: platform, computeUnitPrice: 1_000n };
      return signMovement(stamp, compilePurposed(frame, work), [platform, pot]);
    },
  };
}

const LEDGER = ['lanes', 'lane_steps', 'chain_transactions'] as const;
let backups = 0;

async function backupOf(db: Db): Promise<() => Promise<void>> {
  const id = ++backups;
  for (const table of LEDGER) {
    await sql`create table ${sql.table(`backup_${id}_${table}`)} as select * from ${sql.table(table)}`.execute(db);
  }
  return () =>
    db.transaction().execute(async (tx) => {
      for (const table of LEDGER.toReversed()) await sql`delete from ${sql.table(table)}`.execute(tx);
      for (const table of LEDGER) {
        await sql`insert into ${sql.table(table)} select * from ${sql.table(`backup_${id}_${table}`)}`.execute(tx);
      }
    });
}
