import { Client, Connection } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import type { TemporalConnection } from '../config/temporal.ts';
import { temporalAddress } from './service-addresses.ts';
import { OpsError, type OpsIo } from './io.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** Throws an OpsError if unreachable. */
export async function withTemporal<T>(io: OpsIo, use: (client: Client) => Promise<T>): Promise<T> {
  const { connection: how, namespace } = temporalAddress(io);
  const connection = await open(how);
  try {
    return await use(new Client({ connection, namespace, identity: `slipway-ops/${io.user()}` }));
  } catch (error) {
    if (!(error instanceof NamespaceNotFoundError)) throw error;
    throw new OpsError(`Temporal at ${how.address} has no namespace "${namespace}"`, { cause: error });
  } finally {
    await connection.close();
  }
}

async function open(how: TemporalConnection): Promise<Connection> {
  try {
    // The client's retries go on by timers, which throw once the connection is closed: one failed call would end the command.
    return await Connection.connect({ ...how, connectTimeout: CONNECT_TIMEOUT_MS, interceptors: [] });
  } catch (cause) {
    throw new OpsError(`Temporal at ${how.address} cannot be reached`, { cause });
  }
}
