import { CompactEncrypt, compactDecrypt, errors } from 'jose';
import { AppError } from '../../domain/errors.ts';
import { type LaunchTerms, parseLaunchTerms } from '../../domain/launch/terms.ts';

/** `secret`: 32 bytes. `id`: its name in quotes. */
export interface QuoteKey {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** Other deployments' quotes are refused. */
export interface QuoteScope {
  readonly environment: string;
  readonly genesisHash: string;
}

/** The opaque signed quote of the specification. */
export interface QuoteSealer {
  /** @throws for terms that `open` would refuse */
  seal(terms: LaunchTerms): Promise<string>;
  /** @throws AppError `invalid_request` for anything else */
  open(signedQuote: string): Promise<LaunchTerms>;
}

const HEADER = { alg: 'dir', enc: 'A256GCM', typ: 'launch-quote' } as const;

/**
 * Seals as JWE (RFC 7516, AES-256-GCM): unreadable and unalterable. The first key seals, all open: a key is replaced
 * while its quotes are in use.
 */
export function createQuoteSealer(keys: readonly [QuoteKey, ...QuoteKey[]], scope: QuoteScope): QuoteSealer {
  return {
    seal: async (terms) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify(parseLaunchTerms(terms))))
        .setProtectedHeader({ ...HEADER, kid: keys[0].id })
        .encrypt(keys[0].secret),
    open: async (signedQuote) => assertScope(await decrypt(keys, signedQuote), scope),
  };
}

async function decrypt(keys: readonly QuoteKey[], signedQuote: string): Promise<LaunchTerms> {
  try {
    const { plaintext } = await compactDecrypt(signedQuote, (header) => keyFor(keys, header), {
      keyManagementAlgorithms: [HEADER.alg],
      contentEncryptionAlgorithms: [HEADER.enc],
    });
    return parseTerms(plaintext);
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    throw refused('was altered or was not issued by this platform; prepare the launch again', cause);
  }
}

/** Parses authenticated terms: only another version can have sealed ones that do not parse. */
function parseTerms(plaintext: Uint8Array): LaunchTerms {
  try {
    return parseLaunchTerms(JSON.parse(new TextDecoder().decode(plaintext)));
  } catch (cause) {
    const advice = 'if it was submitted before, ask for the status of its payment before preparing the launch again';
    throw refused(`was issued by another version of this platform; ${advice}`, cause);
  }
}

function keyFor(keys: readonly QuoteKey[], header: { kid?: string; typ?: string }): Uint8Array {
  const key = keys.find(({ id }) => id === header.kid);
  if (!key || header.typ !== HEADER.typ) throw new errors.JWEInvalid('unknown key or type');
  return key.secret;
}

function assertScope(terms: LaunchTerms, scope: QuoteScope): LaunchTerms {
  if (terms.environment !== scope.environment || terms.genesisHash !== scope.genesisHash) {
    throw refused(
      `belongs to environment "${terms.environment}" on another cluster or deployment; prepare the launch again`,
    );
  }
  return terms;
}

function refused(what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `signedQuote ${what}`, { cause });
}
