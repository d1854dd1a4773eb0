import type { FastifyBaseLogger } from 'fastify';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import { AppError } from '../../domain/errors.ts';

/** Rows prepared at once. */
const AT_ONCE = 2;

const NO_TIME = 'the request ended before its turn; prepare it again';
const FAILED = 'its claim could not be prepared now; prepare it again';

interface DeferredRow {
  readonly mint: string;
  readonly reason: string;
}

export interface Preparation<Row, Claim> {
  /** Of the whole request. After it, no row begins. */
  readonly leftMs: () => number;
  /** Null without something to claim. */
  readonly prepare: (row: Row) => Promise<Claim | null>;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

export interface PreparedRows<Claim> {
  readonly claims: Claim[];
  readonly deferred: DeferredRow[];
}

/** Never rejects: a failure defers its row alone, so that issued claims are always returned. */
export async function prepareRows<Row extends { readonly mint: string }, Claim extends object>(
  rows: readonly Row[],
  { leftMs, prepare, log }: Preparation<Row, Claim>,
): Promise<PreparedRows<Claim>> {
  const deferred: DeferredRow[] = [];
  const claims = await inParallel(AT_ONCE, rows, async (row) => {
    const { mint } = row;
    try {
      if (leftMs() > 0) return await prepare(row);
      deferred.push({ mint, reason: NO_TIME });
      return null;
    } catch (error) {
      log.warn({ err: error, mint }, 'claim deferred');
      deferred.push({ mint, reason: error instanceof AppError ? error.message : FAILED });
      return null;
    }
  });
  return { claims: claims.filter((claim) => claim !== null), deferred };
}
