import { join } from 'node:path';
import { postgresHealth } from '../../../dev/stack/postgres/cluster.ts';
import type { PartSpec } from '../../../dev/stack/part.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { copyServer, onServer } from '../../support/db/copy-server.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { specOf } from './releases.ts';

/** The part, the name by which the primary knows it, and that of its slot. */
const STANDBY = 'standby';

/** As docs/deploy.md asks of the primary. */
const REPLICATING = { wal_level: 'replica', max_wal_senders: '4', max_replication_slots: '4' };

/**
 * Puts a second server beside the stack's PostgreSQL, which from then on confirms no commit that the second one has not on its
 * disk. Answers the second one's URL; until it is promoted it can be read only.
 */
export async function addStandby(stack: RealStack): Promise<string> {
  const { databaseUrl } = stack.stack;
  const primary = withSettings(specOf(stack, 'postgres'), REPLICATING);
  await stack.stack.end('postgres');
  await stack.stack.start(primary);
  const standbyUrl = await startStandby(stack, primary);
  await onServer(databaseUrl, async (server) => {
    await server.query(`alter system set synchronous_standby_names = '${STANDBY}'`);
    await server.query('select pg_reload_conf()');
    await eventually(async () => {
      const { rows } = await server.query('select 1 from pg_stat_replication where sync_state = $1', ['sync']);
      return rows.length === 1 || null;
    }, 'a synchronous standby');
  });
  return standbyUrl;
}

async function startStandby(stack: RealStack, primary: PartSpec): Promise<string> {
  const { databaseUrl } = stack.stack;
  const [from, port] = [join(stack.layout.postgres, 'data'), await freePort()];
  const directory = join(stack.layout.postgres, STANDBY);
  await onServer(databaseUrl, (server) => copyServer(server, STANDBY, from, directory));
  const url = new URL(databaseUrl);
  url.port = String(port);
  const spec = withSettings(primary, {
    port: String(port),
    primary_conninfo: `${databaseUrl}?application_name=${STANDBY}`,
    primary_slot_name: STANDBY,
  });
  await stack.stack.start({
    ...spec,
    name: STANDBY,
    args: spec.args.map((word) => (word === from ? directory : word)),
    address: `127.0.0.1:${port}`,
    ports: [port],
    health: postgresHealth(url.href, directory),
  });
  return url.href;
}

/** Ends the standby, for its directory to get another name. */
export async function endStandby({ stack }: RealStack): Promise<void> {
  await stack.end(STANDBY);
}

/** Of a setting that is given twice the last one counts. */
function withSettings(spec: PartSpec, settings: Readonly<Record<string, string>>): PartSpec {
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return { ...spec, args: [...spec.args, ...words] };
}
