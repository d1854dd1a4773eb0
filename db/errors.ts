import pg from 'pg';

export type DatabaseFailure = 'connection' | 'contention' | 'timeout' | 'resources' | 'permanent';

/** New data contradicts the record. It is not retried; an operator must look. */
export class ContradictionError extends Error {
  readonly subject: string;

  constructor(subject: string, message: string) {
    super(`${subject}: ${message}`);
    this.name = 'ContradictionError';
    this.subject = subject;
  }
}

/** The message is a whole sentence. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** States of a lost connection (PostgreSQL manual, appendix A). */
const CONNECTION_STATES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  // A standby about to be promoted, or a replaced primary.
  '25006',
]);
const CONTENTION_STATES = new Set(['40001', '40P01', '55P03']);
const DISK_FULL = '53100';
/** The server's disk or memory is full or failing. */
const RESOURCE_STATES = new Set([DISK_FULL, '53200', '58030']);
const TIMEOUT_STATES = new Set(['57014', '25P03', '25P04']);
/** Codes of a failed connection. Other connections fail with the same codes: pass only errors of database calls. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A host without power, behind a rejecting firewall, or a removed pod.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
]);

/** Messages of connection errors that have no code. */
const CODELESS_CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after)/;

/** Classifies an error by SQLSTATE or socket code. */
export function classifyDatabaseError(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return 'permanent';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('08') || CONNECTION_STATES.has(code) || SOCKET_CODES.has(code)) return 'connection';
  if (CONTENTION_STATES.has(code)) return 'contention';
  if (TIMEOUT_STATES.has(code)) return 'timeout';
  if (RESOURCE_STATES.has(code)) return 'resources';
  return code === '' && CODELESS_CONNECTION_MESSAGES.test(error.message) ? 'connection' : 'permanent';
}

/** True for errors of the server itself; their text never contains the URL. */
export function isServerError(error: unknown): error is Error {
  return error instanceof pg.DatabaseError;
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DISK_FULL;
}

/**
 * True when the same call may succeed later. After a lost connection a write may have been committed: retry only
 * idempotent calls.
 */
export function isTransientDatabaseError(error: unknown): boolean {
  return classifyDatabaseError(error) !== 'permanent';
}
