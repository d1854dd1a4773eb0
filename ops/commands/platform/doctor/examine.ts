import type { ExchangeAdapter } from '../../../../chain/exchange/exchange-adapter.ts';
import { createRpc, type Rpc } from '../../../../chain/rpc/rpc.ts';
import type { PlatformSigners } from '../../../../chain/signers/platform-signers.ts';
import { SignerError } from '../../../../chain/signers/signer.ts';
import type { Variables } from '../../../../config/environment.ts';
import { connect, type Db } from '../../../../db/connect.ts';
import { clockFindings, exchangeFindings, programFindings } from './chain-check.ts';
import { chainFindings, type Configuration, type Process, readConfiguration } from './configuration.ts';
import { conformanceFindings } from './conformance-check.ts';
import { apiRoleFindings, databaseFindings } from './database-check.ts';
import { type Check, type Finding, findingsOf, note, problem } from './finding.ts';
import { proxyFindings } from './proxy-check.ts';
import { lookAtRpc } from './rpc-check.ts';
import { watchCheck } from './watch-check.ts';
import {
  blockEngineFindings,
  priceFindings,
  storageFindings,
  temporalFindings,
  tipFloorFindings,
} from './service-check.ts';
import { balanceFindings, laneFindings, type OpenedKeys, openKeys } from './wallet-check.ts';

export interface ExamineOptions {
  readonly processes: readonly Process[];
  readonly leastLamports: bigint;
  readonly exchange: (lookupTable: string) => ExchangeAdapter;
}

interface Patient extends Configuration {
  readonly db: Db;
  readonly rpc: Rpc;
  /** With the API's own role. */
  readonly apiDatabaseUrl: string | undefined;
  readonly leastLamports: bigint;
  readonly exchange: ExchangeAdapter;
}

interface Reached extends Patient {
  readonly genesisHash: string;
  /** Null without keys, or with one that does not sign. */
  readonly signers: PlatformSigners | null;
}

/** An unreachable part is a finding and hides only what depends on it. */
export async function examine(env: Variables, options: ExamineOptions): Promise<Finding[]> {
  const { processes, leastLamports } = options;
  const { configuration, findings } = readConfiguration(env, processes);
  if (configuration === null)
    return [...findings, note('configuration', 'everything else is looked at once the variables are right')];
  const { database, solana, lookupTable } = configuration.shared;
  const db = connect(database.url, { applicationName: 'slipway-doctor', maxConnections: 4 });
  try {
    const apiDatabaseUrl = env['API_DATABASE_URL']?.trim() || undefined;
    const rpc = createRpc({ endpoints: solana.rpcUrls });
    const exchange = options.exchange(lookupTable);
    const patient = { ...configuration, db, rpc, apiDatabaseUrl, leastLamports, exchange };
    const apiUrls = (env['API_URLS'] ?? '').split(',').filter((url) => url.trim());
    const machine = await findingsOf([watchCheck(env, db, configuration), ...proxyCheck(configuration, apiUrls)]);
    return [...findings, ...(await lookAtAll(patient)), ...machine];
  } finally {
    await db.destroy();
  }
}

/** Only an operator who names the APIs can compare them. */
function proxyCheck({ shared }: Configuration, apiUrls: readonly string[]): Check[] {
  if (apiUrls.length === 0) return [];
  return [{ name: 'proxy', remedy: 'correct SITE_URL', look: () => proxyFindings(shared.siteUrl, apiUrls) }];
}

async function lookAtAll(patient: Patient): Promise<Finding[]> {
  const { findings, genesisHash } = await lookAtRpc(patient.shared.solana.rpcUrls);
  const services = await findingsOf(serviceChecks(patient, genesisHash));
  if (genesisHash === null) {
    return [...findings, ...services, note('chain', 'programs, wallets and prices were not looked at: no chain')];
  }
  const keys = await lookAtKeys(patient);
  const reached = { ...patient, genesisHash, signers: keys.signers };
  const hasSchema = services.some(({ check, is }) => check === 'schema' && is === 'ok');
  const checks = chainChecks(reached).filter(({ needsSchema = false }) => hasSchema || !needsSchema);
  const onChain = await findingsOf(checks);
  if (!hasSchema) onChain.push(note('schema', 'lanes, prices and the exchange are looked at once it is there'));
  return [...chainFindings(patient, genesisHash), ...findings, ...services, ...keys.findings, ...onChain];
}

function serviceChecks({ shared, api, worker, db, apiDatabaseUrl }: Patient, genesisHash: string | null): Check[] {
  const { environment, temporal } = shared;
  const host = new URL(shared.database.url).host;
  const tipFloorUrl = api?.networkFees.tipFloorUrl;
  return [
    {
      name: 'database',
      remedy: `start PostgreSQL at ${host}, or correct DATABASE_URL`,
      look: () => databaseFindings(db, { environment, genesisHash }),
    },
    ...(apiDatabaseUrl === undefined || api === null
      ? []
      : [
          {
            name: 'api role' as const,
            remedy: 'correct API_DATABASE_URL, and migrate with its role as API_DATABASE_ROLE',
            look: () => apiRoleFindings(apiDatabaseUrl),
          },
        ]),
    {
      name: 'temporal',
      remedy: `start Temporal at ${temporal.connection.address} with namespace "${temporal.namespace}", or correct TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and what secures it`,
      look: () => temporalFindings(temporal),
    },
    {
      name: 'storage',
      remedy:
        shared.storage.kind === 'files'
          ? 'let this user write STORE_DIR'
          : 'look at ARWEAVE_BUNDLER_URL and its upload credit',
      look: () => storageFindings(shared),
    },
    ...(worker === null
      ? []
      : [
          {
            name: 'block engine' as const,
            remedy: 'correct BLOCK_ENGINE_URL, or open the way to it',
            look: () => blockEngineFindings(worker.blockEngineUrl),
          },
        ]),
    ...(tipFloorUrl === undefined
      ? []
      : [{ name: 'tip floor' as const, remedy: '', look: () => tipFloorFindings(tipFloorUrl) }]),
  ];
}

async function lookAtKeys({ api, worker }: Patient): Promise<OpenedKeys> {
  if (worker === null) return { signers: null, findings: [] };
  try {
    return await openKeys(worker, api);
  } catch (error) {
    if (!(error instanceof SignerError)) throw error;
    const remedy = 'look at TREASURY_SIGNER, PLATFORM_SIGNER and REWARDS_SIGNER, and who may read what they name';
    return { signers: null, findings: [problem('keys', error.message, remedy)] };
  }
}

function chainChecks(reached: Reached): Check[] {
  const { shared, api, db, rpc, exchange, genesisHash, signers, worker, leastLamports } = reached;
  const { lookupTable } = shared;
  const { connection } = rpc;
  const ofRpc = 'look at the endpoints of SOLANA_RPC_URL';
  const treasury = signers?.treasury.publicKey.toBase58() ?? api?.treasuryAddress;
  const ground = { db, rpc, exchange, lookupTable, genesisHash, treasury };
  const checks: Check[] = [
    { name: 'programs', remedy: ofRpc, look: () => programFindings(connection, exchange.programs) },
    {
      name: 'exchange',
      needsSchema: true,
      remedy: 'npm run ops -- lookup-table show',
      look: () => exchangeFindings({ ...ground, platform: signers?.platform.publicKey.toBase58() }),
    },
    {
      name: 'prices',
      needsSchema: true,
      remedy: 'look at PRICE_SOURCE and what belongs to it',
      look: () => priceFindings({ db, rpc, prices: shared.prices, exchange: exchange.open(connection, genesisHash) }),
    },
    { name: 'clock', remedy: ofRpc, look: () => clockFindings(connection) },
    { name: 'conformance', remedy: 'run it again', look: () => conformanceFindings(genesisHash) },
  ];
  if (signers === null || worker === null) return checks;
  return [
    ...checks,
    { name: 'balance', remedy: ofRpc, look: () => balanceFindings(connection, signers, leastLamports) },
    {
      name: 'lanes',
      needsSchema: true,
      remedy: 'npm run ops -- lanes show',
      look: () => laneFindings({ db, connection, worker, signers }),
    },
  ];
}
