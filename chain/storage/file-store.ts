import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import { flushed } from './flushed.ts';
import { type PermanentStore, STORED_TYPES, type StoredType } from './permanent-store.ts';

export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly type: StoredType;
}

export interface FileStoreOptions {
  readonly directory: string;
  /** No trailing slash; served at `{siteUrl}/store/{name}`. */
  readonly siteUrl: string;
}

/** 64 hex digits and `.json`. */
const HASH_NAME_BYTES = 69;

/** sha256 in hex, plus the extension. */
const NAME = /^[0-9a-f]{64}\.(png|jpg|webp|json)$/;

/** The longest URI that fits every mint transaction (docs/launch-costs.md). */
const MAX_URI_BYTES = 109;

/** Stores files by their content's hash. Throws a RangeError if URIs do not fit a mint. */
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
    has: async (uri) => exists(join(directory, nameIn(prefix, uri))),
    async get(uri, type) {
      const stored = await readStored(directory, nameIn(prefix, uri));
      if (stored && stored.type !== type) throw new RangeError(`${uri} is no ${type}`);
      return stored?.bytes ?? null;
    },
    keyOf: (document) => createHash('sha256').update(document).digest('base64url'),
    uriAt: (key) => `${prefix}${Buffer.from(key, 'base64url').toString('hex')}.json`,
  };
}

function nameIn(prefix: string, uri: string): string {
  const name = uri.startsWith(prefix) ? uri.slice(prefix.length) : '';
  if (NAME.test(name)) return name;
  throw new RangeError(`"${uri}" is not an address of the store under ${prefix}`);
}

function assertUrisFit(siteUrl: string, prefix: string): void {
  const room = MAX_URI_BYTES - HASH_NAME_BYTES - '/store/'.length;
  if (prefix.length + HASH_NAME_BYTES <= MAX_URI_BYTES) return;
  throw new RangeError(
    `SITE_URL "${siteUrl}" has ${siteUrl.length} characters; with the local store at most ${room} fit`,
  );
}

/** Null if missing or misnamed. Throws if bytes and name differ: a damaged file is never served. */
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

/** Write aside, flush, rename, flush the folder: after a crash the file is whole or absent. */
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
