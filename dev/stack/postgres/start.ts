import type { StackContext } from '../stack-context.ts';
import { findPostgresBinaries } from './binaries.ts';
import { databaseUrl, ensureDatabase, postgresPart, prepareCluster } from './cluster.ts';
import { findLauncher } from './launcher.ts';

const DATABASE = 'slipway';

export async function startPostgres({ settings, layout, ports, supervisor }: StackContext): Promise<string> {
  if (settings.databaseUrl !== undefined) return settings.databaseUrl;
  const binaries = findPostgresBinaries();
  const launcher = await findLauncher(binaries.postgres, layout.data);
  const cluster = { binaries, launcher, directory: layout.postgres, port: ports.postgres };
  const password = await prepareCluster(cluster);
  await supervisor.start(postgresPart(cluster, password));
  await ensureDatabase(databaseUrl(ports.postgres, password, 'postgres'), DATABASE);
  return databaseUrl(ports.postgres, password, DATABASE);
}
