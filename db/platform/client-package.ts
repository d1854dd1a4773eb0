import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type ClientPackage, isWholeClient } from '../../domain/client-package.ts';
import { type Db, transaction } from '../connect.ts';

/** Newest packages that are kept: one that a user's lock file names must stay installable. */
export const KEPT_PACKAGES = 50;

function packageOf(fileName: string, bytes: Buffer): ClientPackage {
  return { fileName, bytes, sha512: createHash('sha512').update(bytes).digest('hex') };
}

/**
 * Reads the package of a built site; null where the site was built without one.
 *
 * @throws where the file is not what its name says
 */
export async function readClientPackage(webDirectory: string): Promise<ClientPackage | null> {
  const folder = join(webDirectory, 'client');
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const [fileName, ...others] = names.filter((name) => name.endsWith('.tgz'));
  if (fileName === undefined) return null;
  if (others.length > 0) throw new Error(`${folder} has more than one package: build the site again`);
  const found = packageOf(fileName, await readFile(join(folder, fileName)));
  if (isWholeClient(found)) return found;
  throw new Error(`${join(folder, fileName)} is not what its name says: build the site again`);
}

/** Keeps the package for later releases, which go on serving it. May be repeated. */
export async function keepClientPackage(db: Db, { fileName, bytes }: Omit<ClientPackage, 'sha512'>): Promise<void> {
  await transaction(db, async (tx) => {
    await tx
      .insertInto('clientPackages')
      .values({ fileName, bytes })
      .onConflict((conflict) => conflict.column('fileName').doUpdateSet({ keptAt: sql`clock_timestamp()` }))
      .execute();
    const kept = tx.selectFrom('clientPackages').select('fileName').orderBy('keptAt', 'desc').limit(KEPT_PACKAGES);
    await tx.deleteFrom('clientPackages').where('fileName', 'not in', kept).execute();
  });
}

/** A package of an earlier release; null for one that is not kept, or is not what its name says. */
export async function findClientPackage(db: Db, fileName: string): Promise<ClientPackage | null> {
  const row = await db
    .selectFrom('clientPackages')
    .select(['fileName', 'bytes'])
    .where('fileName', '=', fileName)
    .executeTakeFirst();
  const found = row && packageOf(row.fileName, row.bytes);
  return found && isWholeClient(found) ? found : null;
}
