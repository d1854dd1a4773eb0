import type { OnEvent } from './part.ts';
import { endGroup, groupIsAlive } from './process-table.ts';
import type { PartRecord } from './run-record.ts';

export function byStopStage<P extends { readonly stopStage: number }>(parts: readonly P[]): P[][] {
  const stages = [...new Set(parts.map((part) => part.stopStage))].sort((a, b) => a - b);
  return stages.map((stage) => parts.filter((part) => part.stopStage === stage));
}

/** PostgreSQL needs seconds to free its shared memory. */
const LONGEST_GRACE_MS = 10_000;

async function endPart(part: PartRecord, onEvent: OnEvent): Promise<void> {
  if (!groupIsAlive(part)) return;
  onEvent({ kind: 'stopping', part: part.name });
  const how = await endGroup(part, part.stopSignal, Math.min(part.stopWithinMs, LONGEST_GRACE_MS));
  onEvent({ kind: 'stopped', part: part.name, how });
}

/**
 * Ends parts, also of another process.
 *
 * @throws AggregateError after trying all
 */
export async function endParts(parts: readonly PartRecord[], onEvent: OnEvent): Promise<void> {
  const failures: unknown[] = [];
  for (const stage of byStopStage(parts)) {
    const results = await Promise.allSettled(stage.map((part) => endPart(part, onEvent)));
    failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])));
  }
  if (failures.length > 0) throw new AggregateError(failures);
}
