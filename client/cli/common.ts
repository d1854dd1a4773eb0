import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { type Api, createApi, keypairSigner, type Signer } from '../index.ts';
import { isRecord } from '../http/shape.ts';

/** Options of every command. */
export interface CommonOptions {
  readonly url: string;
  readonly json?: true;
}

/** Options of the commands that sign. */
export interface SigningOptions extends CommonOptions {
  readonly keypair: string;
  readonly dryRun?: true;
  readonly state?: string;
}

/** A command that asks a platform. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .requiredOption('--url <url>', 'root of the API, which ends in /api/public/v1', process.env['SLIPWAY_URL'])
    .option('--json', 'print the result as one line of JSON');
}

/** A command that signs with a key from a file. */
export function signingCommand(name: string, description: string): Command {
  return command(name, description)
    .requiredOption('--keypair <file>', 'file with the secret key, as solana-keygen writes it')
    .option('--state <file>', 'keeps what was signed until its outcome is known; the same command then goes on with it')
    .option('--dry-run', 'ask and check, but sign nothing');
}

/** The API that a command asks. */
export function apiOf({ url }: CommonOptions, headers: Readonly<Record<string, string>> = {}): Api {
  return createApi({ url, headers });
}

/** Reads a secret key. Throws an Error that names the file and never shows what is in it. */
export function signerOf({ keypair }: SigningOptions): Signer {
  const bytes = parsed(keypair);
  const isKey =
    Array.isArray(bytes) &&
    bytes.length === 64 &&
    bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256);
  if (!isKey) throw new Error(`${keypair} is not a JSON array of 64 bytes, as solana-keygen writes it`);
  return keypairSigner({ secretKey: Uint8Array.from(bytes) });
}

function parsed(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON`);
  }
}

/** Parses SOL into lamports, exactly. */
export function lamportsOf(sol: string): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(sol) ?? [];
  if (whole === undefined) throw new InvalidArgumentError(`"${sol}" is no amount of SOL`);
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** Parses a number above 0. */
export function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError(`"${text}" is no number above 0`);
}

/** What of an outcome tells a shell script whether it was a success. */
export function exitCodeOf(outcome: object, successes: readonly string[]): 0 | 2 {
  return isRecord(outcome) && successes.includes(String(outcome['status'])) ? 0 : 2;
}
