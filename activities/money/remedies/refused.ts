import { UnknownError } from '../../../chain/rpc/absence.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';

/** Carries out a remedy for a subject; returns what was done, in words. */
export type CarryOut = (deps: ReconcileDeps, subject: string, purpose?: string) => Promise<string>;

export class RemedyRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RemedyRefusedError';
  }
}

/** Throws a RemedyRefusedError unless there are `count`. */
export function partsOf(subject: string, count: number): string[] {
  const parts = subject.split('/').slice(1);
  if (parts.length !== count || parts.includes('')) throw new RemedyRefusedError(`${subject} names nothing`);
  return parts;
}

/** The id of a subject of one part. Throws a RemedyRefusedError for others. */
export function idIn(subject: string): string {
  const [id = ''] = partsOf(subject, 1);
  return id;
}

/**
 * Throws a RemedyRefusedError. One spelling per number: remedies are serialized by their subject's text.
 */
export function numberIn(text: string | undefined): number {
  if (text === undefined || !/^(0|[1-9]\d{0,7})$/.test(text)) throw new RemedyRefusedError(`"${text}" is no number`);
  return Number(text);
}

/**
 * Asks about the past.
 * @throws RemedyRefusedError with advice if too few endpoints can answer
 */
export async function provenOrRefused<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof UnknownError)) throw error;
    const advice = error.isForgotten ? 'add an endpoint with a longer history' : 'try again';
    throw new RemedyRefusedError(`it is not proven: ${error.message}; ${advice}`);
  }
}
