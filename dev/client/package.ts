import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import { CLIENT_PACKAGE, clientFileName, type ClientPackage } from '../../domain/client-package.ts';
import { tarGz, type TarFile } from './tar.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'client');

const ManifestSchema = Type.Object({
  name: Type.Literal(CLIENT_PACKAGE),
  version: Type.String({ pattern: String.raw`^\d+\.\d+\.\d+$` }),
});

/** Compiles the client into a folder, which must be empty or absent. */
export async function compileClient(outDir: string): Promise<void> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', join(CLIENT, 'tsconfig.build.json'), '--outDir', outDir], { cwd: CLIENT });
}

/** Builds the package that people install. The same sources give the same bytes. */
export async function packClient(): Promise<ClientPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-client-build-'));
  try {
    await compileClient(join(folder, 'dist'));
    const manifest = await readFile(join(CLIENT, 'package.json'));
    const { version } = Parse(ManifestSchema, JSON.parse(manifest.toString()));
    const bytes = tarGz([
      ...(await Promise.all(['LICENSE', 'README.md', 'package.json'].map((name) => fileOf(CLIENT, name)))),
      ...(await filesBelow(folder)),
    ]);
    const sha512 = createHash('sha512').update(bytes).digest('hex');
    return { fileName: clientFileName(version, sha512), bytes, sha512 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the package below a built site, beside nothing else. */
export async function writeClientPackage(folder: string): Promise<void> {
  const { fileName, bytes } = await packClient();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, fileName), bytes);
}

async function filesBelow(folder: string): Promise<TarFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const relative = paths.map((path) => path.slice(folder.length + 1).replaceAll('\\', '/'));
  return Promise.all(relative.sort().map((path) => fileOf(folder, path)));
}

async function fileOf(folder: string, path: string): Promise<TarFile> {
  const bytes = await readFile(join(folder, path));
  return { path: `package/${path}`, bytes, executable: bytes.subarray(0, 2).toString() === '#!' };
}
