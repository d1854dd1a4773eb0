import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Api, createApi, keypairSigner, type Signer } from '../index.ts';
import { isRecord } from '../http/shape.ts';

export interface CommonOptions {
  readonly url: string;
  readonly json?: true;
  readonly allowHttp?: true;
}

export interface SigningOptions extends CommonOptions {
  readonly keypair: string;
  readonly dryRun?: true;
  readonly state?: string;
}

export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .requiredOption('--url <url>', 'root of the API, which ends in /api/public/v1', process.env['SLIPWAY_URL'])
    .addOption(allowHttpOption())
    .option('--json', 'print the result as one line of JSON');
}

export function allowHttpOption(): Option {
  const words = 'ask another machine without TLS, where anybody on the way can read and change what is said';
  return new Option('--allow-http', words);
}

export function signingCommand(name: string, description: string): Command {
  return command(name, description)
    .requiredOption('--keypair <file>', 'file with the secret key, as solana-keygen writes it')
    .option(
      '--state <file>',
      'keeps what was signed until its outcome is known; the same command then goes on with it (default: beside the key, in .slipway/)',
    )
    .option('--dry-run', 'ask and check, but sign nothing');
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Throws for an API on another machine without TLS, unless allowed. */
export function apiOf({ url, allowHttp }: CommonOptions, headers: Readonly<Record<string, string>> = {}): Api {
  return createApi({ url: encryptedUrl(url, allowHttp), headers });
}

/** Returns the URL. Throws for one of another machine without TLS, unless allowed: an endpoint's word is proof too. */
export function encryptedUrl(url: string, allowHttp: true | undefined): string {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !LOOPBACK.test(hostname) && allowHttp !== true) {
    throw new Error(`${url} is not encrypted: use https, or say --allow-http`);
  }
  return url;
}

const OTHERS = 0o077;

export function stateFileOf({ keypair, state }: SigningOptions, wallet: string, signedFor: object): string {
  const hash = createHash('sha256').update(JSON.stringify(signedFor)).digest('hex').slice(0, 32);
  return state ?? join(dirname(keypair), '.slipway', wallet, `${hash}.json`);
}

/** Throws an Error that names the file, never its content, also if other users may read it. */
export function signerOf({ keypair }: SigningOptions): Signer {
  if (process.platform !== 'win32' && (statSync(keypair).mode & OTHERS) !== 0) {
    throw new Error(`${keypair} can be read by other users of this machine: chmod 600 ${keypair}`);
  }
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

/** Converts SOL to lamports exactly. */
export function lamportsOf(sol: string): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(sol) ?? [];
  if (whole === undefined) throw new InvalidArgumentError(`"${sol}" is no amount of SOL`);
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

export function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError(`"${text}" is no number above 0`);
}

/** Parses an integer above 0. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(`"${text}" is no whole number above 0`);
}

/** Returns 0 for a success, else 2. */
export function exitCodeOf(outcome: object, successes: readonly string[]): 0 | 2 {
  return isRecord(outcome) && successes.includes(String(outcome['status'])) ? 0 : 2;
}
