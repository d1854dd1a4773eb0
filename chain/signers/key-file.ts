import { open } from 'node:fs/promises';
import type { Keypair } from '@solana/web3.js';
import { errorText } from '../../domain/error-text.ts';
import { parseSecretKey } from './secret-key.ts';
import { SignerError } from './signer.ts';

const OTHERS = 0o007;

/** Some hundred bytes are usual. */
const MAX_BYTES = 4_096;

/**
 * 64 bytes in base58, or solana-keygen's format. Throws a SignerError under `name` for an unreadable file, other
 * content, or one that every user can read.
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
