import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import { flushed } from './flushed.ts';
import { type PermanentStore, STORED_TYPES, type StoredType } from './permanent-store.ts';

/** A file of the local store, as the API serves it. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly type: StoredType;
}

/** Where the files lie and which public address leads to them. */
export interface FileStoreOptions {
  readonly directory: string;
  /** Platform origin without a trailing slash; the API serves `{siteUrl}/store/{name}`. */
  readonly siteUrl: string;
}

/** Longest name: 64 hex digits and `.json`. */
const HASH_NAME_BYTES = 69;

/** Name of a stored file: sha256 of its bytes in hex, and the ending of its type. */
const NAME = /^[0-9a-f]{64}\.(png|jpg|webp|json)$/;

/**
 * Longest URI that fits the mint transaction of every kind of launch, in bytes; measured in docs/launch-costs.md with the
 * longest names.
 */
const MAX_URI_BYTES = 109;

/**
 * A content-addressed store on disk, for machines without a permanent network to write to. Throws a RangeError when
 * `siteUrl` is so long that URIs would not fit a mint.
 */
export function createFileStore({ directory, siteUrl }: FileStoreOptions): PermanentStore {
  const prefix = `${siteUrl}/store/`;
  assertUrisFit(siteUrl, prefix);
  const uriOf = (bytes: Uint8Array, type: StoredType): string => `${prefix}${nameOf(bytes, type)}`;
  return {
    uriOf,
    async put(bytes, type) {
      await keep(directory, nameOf(bytes, type), bytes);
      return uriOf(bytes, type);
    },
    async has(uri) {
      const name = uri.startsWith(prefix) ? uri.slice(prefix.length) : '';
      if (!NAME.test(name)) throw new RangeError(`"${uri}" is not an address of the store under ${prefix}`);
      return exists(join(directory, name));
    },
  };
}

function assertUrisFit(siteUrl: string, prefix: string): void {
  const room = MAX_URI_BYTES - HASH_NAME_BYTES - '/store/'.length;
  if (prefix.length + HASH_NAME_BYTES <= MAX_URI_BYTES) return;
  throw new RangeError(
    `SITE_URL "${siteUrl}" has ${siteUrl.length} characters; with the local store at most ${room} fit`,
  );
}

/**
 * Reads a stored file by its name (`<sha256>.<ending>`), or null when there is none or the name is none of ours. Throws when
 * the bytes on disk are not those of the name: a damaged file is never served.
 */
export async function readStored(directory: string, name: string): Promise<StoredFile | null> {
  const type = typeOf(name);
  if (type === null) return null;
  const bytes = await readIfThere(join(directory, name));
  if (bytes === null) return null;
  if (nameOf(bytes, type) !== name) throw new Error(`stored file ${name} is damaged: its bytes have another hash`);
  return { bytes, type };
}

function typeOf(name: string): StoredType | null {
  const ending = NAME.exec(name)?.[1];
  const types: StoredType[] = ['image/png', 'image/jpeg', 'image/webp', 'application/json'];
  return types.find((type) => STORED_TYPES[type] === ending) ?? null;
}

function nameOf(bytes: Uint8Array, type: StoredType): string {
  return `${createHash('sha256').update(bytes).digest('hex')}.${STORED_TYPES[type]}`;
}

async function keep(directory: string, name: string, bytes: Uint8Array): Promise<void> {
  const path = join(directory, name);
  try {
    if (!(await exists(path))) await writeDurably(directory, path, bytes);
  } catch (cause) {
    throw new AppError('service_unavailable', `permanent storage: ${name} cannot be written`, { cause });
  }
}

/** Written beside, flushed, then renamed, and the folder flushed: after a crash the file is whole or absent. */
async function writeDurably(directory: string, path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await flushed(temporary, 'wx', (file) => file.writeFile(bytes));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushed(directory, 'r', async () => undefined);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
