import pg from 'pg';

/** Why a database call failed, as far as a retry is concerned. */
export type DatabaseFailure = 'connection' | 'contention' | 'timeout' | 'resources' | 'permanent';

/** What was to be recorded contradicts what is recorded. Nobody retries it; a person has to look. */
export class ContradictionError extends Error {
  readonly subject: string;

  constructor(subject: string, message: string) {
    super(`${subject}: ${message}`);
    this.name = 'ContradictionError';
    this.subject = subject;
  }
}

/** What was asked of the schema was not done, for a reason that is a sentence. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** SQLSTATE codes and classes: PostgreSQL manual, appendix A. */
const CONNECTION_STATES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  // A write that a standby refuses: one that is promoted soon, or a primary that another one replaces.
  '25006',
]);
const CONTENTION_STATES = new Set(['40001', '40P01', '55P03']);
/** The server's disk or memory is full, or fails. */
const RESOURCE_STATES = new Set(['53100', '53200', '58030']);
const TIMEOUT_STATES = new Set(['57014', '25P03', '25P04']);
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A host without power, behind a firewall that refuses, or a pod that is gone.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
]);

/** The driver and its pool report these without a code. */
const CODELESS_CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after)/;

/** Classifies an error of a database call by its SQLSTATE or socket code. */
export function classifyDatabaseError(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return 'permanent';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('08') || CONNECTION_STATES.has(code) || SOCKET_CODES.has(code)) return 'connection';
  if (CONTENTION_STATES.has(code)) return 'contention';
  if (TIMEOUT_STATES.has(code)) return 'timeout';
  if (RESOURCE_STATES.has(code)) return 'resources';
  return code === '' && CODELESS_CONNECTION_MESSAGES.test(error.message) ? 'connection' : 'permanent';
}

/** True for what the server itself answered, in words that hold nothing of the URL. */
export function isServerError(error: unknown): error is Error {
  return error instanceof pg.DatabaseError;
}

/**
 * True when the same call may succeed later. After a lost connection it is unknown whether a write was committed: only
 * idempotent calls may be repeated.
 */
export function isTransientDatabaseError(error: unknown): boolean {
  return classifyDatabaseError(error) !== 'permanent';
}
