import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The released versions, oldest first, with the files that their migrations consist of. */
export const RELEASES_FILE = 'db/releases.json';

const ReleaseShape = Type.Object({
  version: Type.String(),
  /** Full hash. */
  commit: Type.String({ pattern: '^[0-9a-f]{40}$' }),
  /** sha256 of each file that no release before has, hex, by path. */
  files: Type.Record(Type.String(), Type.String({ pattern: '^[0-9a-f]{64}$' })),
});

export type Release = Static<typeof ReleaseShape>;

/** Packages that released migrations may import. */
const PACKAGES = ['kysely'];

export function readReleases(root: string): Release[] {
  return Value.Parse(Type.Array(ReleaseShape), JSON.parse(readFileSync(join(root, RELEASES_FILE), 'utf8')));
}

/** Returns a sentence for each file of a release that has changed, and for each import that no release has. */
export function releaseProblems(root: string): string[] {
  const releases = readReleases(root);
  const known = new Set(releases.flatMap(({ files }) => Object.keys(files)));
  return releases.flatMap((release) =>
    Object.entries(release.files).flatMap(([path, hash]) => {
      if (hashOf(root, path) !== hash) return [changed(path, release)];
      return importsOf(root, path)
        .filter((imported) => !known.has(imported) && !PACKAGES.includes(imported))
        .map((imported) => `${path} belongs to release ${release.version} and imports ${imported}, which may change`);
    }),
  );
}

function changed(path: string, { version, commit }: Release): string {
  return (
    `${path} belongs to release ${version} and has changed: databases have run it. ` +
    `Restore it (git checkout ${commit.slice(0, 8)} -- ${path}) and make the change in a new file of db/migrations`
  );
}

/** Returns the files of migrations that no release has, with all that they import. */
export function unreleasedFiles(root: string): Record<string, string> {
  const known = new Set(readReleases(root).flatMap(({ files }) => Object.keys(files)));
  const found = new Set<string>();
  const add = (path: string): void => {
    if (known.has(path) || found.has(path) || !existsSync(join(root, path))) return;
    found.add(path);
    importsOf(root, path).forEach(add);
  };
  globSync('db/migrations/*.ts', { cwd: root }).sort().forEach(add);
  return Object.fromEntries([...found].sort().map((path) => [path, hashOf(root, path) ?? '']));
}

/** Null without the file. */
function hashOf(root: string, path: string): string | null {
  const file = join(root, path);
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : null;
}

/** Paths from the root, and names of packages. */
function importsOf(root: string, path: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'), true, true);
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith('.') ? normalize(join(dirname(path), fileName)) : fileName,
  );
}
