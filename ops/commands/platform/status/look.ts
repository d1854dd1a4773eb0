import { ServiceError } from '@temporalio/client';
import { createRpc } from '../../../../chain/rpc/rpc.ts';
import { RpcUnavailableError } from '../../../../chain/rpc/json-rpc.ts';
import { classifyDatabaseError, isServerError } from '../../../../db/errors.ts';
import type { Db } from '../../../../db/connect.ts';
import { errorText } from '../../../../domain/error-text.ts';
import { withDatabase } from '../../../database.ts';
import { OpsError, type OpsIo } from '../../../io.ts';
import {
  apiUrls,
  blockEngineUrl,
  findTemporal,
  rpcUrls,
  treasuryAddress,
  workerUrls,
} from '../../../service-addresses.ts';
import { withTemporal } from '../../../temporal.ts';
import { inventoryLines, solLines } from './chain-lines.ts';
import { databaseLines } from './database-lines.ts';
import { type Findings, opsCommand, restartOf, type StatusLine, together } from './line.ts';
import { pollerLines, processLines } from './process-lines.ts';
import { blockEngineLines, rpcLines } from './reach-lines.ts';
import { explained } from './not-kept.ts';
import { monitoringFindings } from './monitoring.ts';
import { pageFindings, without } from './page-lines.ts';
import { roundLines } from './round-lines.ts';
import { archiveFindings, databaseClockLines, watchedFindings } from './watch-lines.ts';

export interface LookOptions {
  readonly now: Date;
  readonly leastLamports: bigint;
}

/** An unreachable part gets its own line and hides only what depends on it. */
export async function look(io: OpsIo, options: LookOptions): Promise<Findings> {
  const direct = together(
    await Promise.all([
      lookAtBooks(io, options),
      lookAtTemporal(io, options),
      lookAtEngine(io),
      watchedFindings(io, options.now),
      lookAtProcesses('api', apiUrls(io), 'APIs (API_URLS)'),
      lookAtProcesses('worker', workerUrls(io), 'workers by name (WORKER_URLS)'),
      monitoringFindings(io),
    ]),
  );
  const all = together([direct, without(direct.lines, await pageFindings(io, options.now))]);
  return { ...all, lines: await Promise.all(all.lines.map((line) => explained(io, line))) };
}

const found = (lines: readonly StatusLine[]): Findings => ({ lines, notAsked: [] });
const unasked = (what: string): Findings => ({ lines: [], notAsked: [what] });

async function lookAtBooks(io: OpsIo, options: LookOptions): Promise<Findings> {
  const urls = await givenAddress(() => rpcUrls(io));
  const reach = urls === null ? unasked('RPC endpoints (SOLANA_RPC_URL)') : found(await rpcLines(urls));
  const isAnyThere = urls !== null && reach.lines.length < urls.length;
  try {
    return await withDatabase(io, async (db) => {
      const lines = together([
        found([...(await databaseLines(db, options.now)), ...(await databaseClockLines(db))]),
        await archiveFindings(io, db),
      ]);
      const balances = isAnyThere ? await lookAtBalances(io, db, urls, options) : found([]);
      return together([reach, lines, balances]);
    });
  } catch (error) {
    if (classifyDatabaseError(error) !== 'connection' && !isServerError(error)) throw error;
    const what = `no answer of use at DATABASE_URL: ${errorText(error)}; launches, claims, books and balances were not looked at`;
    const remedy = `${restartOf('postgres')}; it stays away: docs/deploy.md, "Failover"`;
    const line = { alert: 'SlipwayDatabaseRefuses', subject: 'database', is: 'unreachable', what, remedy } as const;
    return together([reach, found([line])]);
  }
}

async function lookAtBalances(
  io: OpsIo,
  db: Db,
  endpoints: readonly string[],
  { leastLamports }: LookOptions,
): Promise<Findings> {
  const parts = { db, connection: createRpc({ endpoints }).connection, leastLamports };
  const treasury = await givenAddress(() => treasuryAddress(io));
  try {
    const sol = found(await solLines(parts));
    if (treasury === null) return together([sol, unasked('inventory (TREASURY_ADDRESS)')]);
    return together([sol, found(await inventoryLines(parts, treasury))]);
  } catch (error) {
    if (!(error instanceof RpcUnavailableError)) throw error;
    const what = `balances could not be read: ${errorText(error)}`;
    return found([
      { alert: 'SlipwayRpcFailing', subject: 'rpc', is: 'unreachable', what, remedy: opsCommand('doctor') },
    ]);
  }
}

async function lookAtTemporal(io: OpsIo, { now }: LookOptions): Promise<Findings> {
  const temporal = findTemporal(io);
  if (!temporal) return unasked('Temporal (TEMPORAL_ADDRESS)');
  try {
    return await withTemporal(io, async (client) => {
      const rounds = roundLines(client, { now, address: temporal.connection.address });
      return found((await Promise.all([rounds, pollerLines(client, now)])).flat());
    });
  } catch (error) {
    if (!(error instanceof OpsError || error instanceof ServiceError)) throw error;
    const remedy = `${restartOf('temporal')}; then temporal operator cluster health --address ${temporal.connection.address}`;
    return found([
      { alert: 'SlipwayTemporalFailing', subject: 'temporal', is: 'unreachable', what: error.message, remedy },
    ]);
  }
}

async function lookAtEngine(io: OpsIo): Promise<Findings> {
  const url = blockEngineUrl(io);
  return url === null ? unasked('block engine (BLOCK_ENGINE_URL)') : found(await blockEngineLines(url));
}

async function lookAtProcesses(
  subject: 'api' | 'worker',
  urls: readonly string[] | null,
  name: string,
): Promise<Findings> {
  return urls === null ? unasked(name) : found(await processLines(subject, urls));
}

async function givenAddress<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OpsError) return null;
    throw error;
  }
}
