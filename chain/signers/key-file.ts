import { open } from 'node:fs/promises';
import type { Keypair } from '@solana/web3.js';
import { errorText } from '../../domain/error-text.ts';
import { parseSecretKey } from './secret-key.ts';
import { SignerError } from './signer.ts';

/** Permissions of users that are neither the file's owner nor in its group. */
const OTHERS = 0o007;

/** A key file is some hundred bytes; whatever is larger is something else. */
const MAX_BYTES = 4_096;

/**
 * Reads a key pair from a file: 64 bytes in base58, or what solana-keygen writes. Throws a SignerError under `name` when it
 * cannot be read, holds something else, or every user of the machine may read it.
 */
export async function readKeyFile(name: string, path: string): Promise<Keypair> {
  return parseSecretKey(name, await readPrivately(name, path));
}

async function readPrivately(name: string, path: string): Promise<string> {
  const file = await orExplain(name, () => open(path, 'r'));
  try {
    const { mode, size } = await file.stat();
    if ((mode & OTHERS) !== 0) {
      throw new SignerError(name, `every user can open the file (mode ${(mode & 0o777).toString(8)}); chmod it to 600`);
    }
    if (size > MAX_BYTES) throw new SignerError(name, `the file has ${size} bytes, a key has at most ${MAX_BYTES}`);
    return await orExplain(name, () => file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

async function orExplain<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new SignerError(name, `the file cannot be read (${errorText(cause)})`, cause);
  }
}
