import { isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';
import { RETENTION_DAYS } from '../config/temporal.ts';

const SECONDS_PER_DAY = 86_400;

/** Codes of a caller that must not change a namespace (Temporal Cloud: the first). */
const NOT_ALLOWED: ReadonlySet<number> = new Set([7, 12, 16]);

export type RetentionOutcome = 'kept' | 'raised' | 'not-allowed';

/**
 * Raises retention to 30 days if it is shorter and that is allowed; never shortens it. `not-allowed` is no failure:
 * the database refuses duplicates.
 */
export async function ensureRetention(connection: NativeConnection, namespace: string): Promise<RetentionOutcome> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const days = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / SECONDS_PER_DAY;
  if (days >= RETENTION_DAYS) return 'kept';
  try {
    await connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION_DAYS * SECONDS_PER_DAY * 1_000) },
    });
    return 'raised';
  } catch (error) {
    if (isGrpcServiceError(error) && NOT_ALLOWED.has(error.code)) return 'not-allowed';
    throw error;
  }
}
