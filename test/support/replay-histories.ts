import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HISTORIES = join(import.meta.dirname, '../fixtures/histories');

/** One recorded run of a workflow, as dev/record-histories.ts wrote it. */
export interface RecordedHistory {
  readonly workflowType: string;
  readonly name: string;
  readonly read: () => unknown;
}

/** Every recorded history, by workflow type. */
export function recordedHistories(): RecordedHistory[] {
  if (!existsSync(HISTORIES)) return [];
  return readdirSync(HISTORIES).flatMap((workflowType) =>
    readdirSync(join(HISTORIES, workflowType)).map((file) => ({
      workflowType,
      name: file.replace(/\.json$/, ''),
      read: () => JSON.parse(readFileSync(join(HISTORIES, workflowType, file), 'utf8')) as unknown,
    })),
  );
}
