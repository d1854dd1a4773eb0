import { Client, Connection } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { temporalAddress } from './service-addresses.ts';
import { OpsError, type OpsIo } from './io.ts';

/** Longest wait for a Temporal server that does not answer, in ms. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Runs `use` with a client of the platform's Temporal and closes it afterwards. Throws an OpsError when it cannot be reached. */
export async function withTemporal<T>(io: OpsIo, use: (client: Client) => Promise<T>): Promise<T> {
  const { address, namespace } = temporalAddress(io);
  const connection = await open(address);
  try {
    return await use(new Client({ connection, namespace, identity: `slipway-ops/${io.user()}` }));
  } catch (error) {
    if (!(error instanceof NamespaceNotFoundError)) throw error;
    throw new OpsError(`Temporal at ${address} has no namespace "${namespace}"`, { cause: error });
  } finally {
    await connection.close();
  }
}

async function open(address: string): Promise<Connection> {
  try {
    return await Connection.connect({ address, connectTimeout: CONNECT_TIMEOUT_MS });
  } catch (cause) {
    throw new OpsError(`Temporal at ${address} cannot be reached`, { cause });
  }
}
