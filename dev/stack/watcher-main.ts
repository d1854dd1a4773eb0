// See watcher.ts. Input that ends without "release": the supervisor is gone.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { errorTextWithCauses } from '../../domain/error-text.ts';
import { endParts } from './end-parts.ts';
import { parseRunRecord, type RunRecord } from './run-record.ts';

async function cleanUp(record: RunRecord): Promise<void> {
  console.log(`${new Date().toISOString()} the supervisor is gone; ending ${record.parts.length} parts`);
  try {
    await endParts(record.parts, (event) => {
      console.log(JSON.stringify(event));
    });
  } catch (error) {
    console.error(errorTextWithCauses(error));
    process.exitCode = 1;
  }
  for (const file of record.files) rmSync(file, { recursive: true, force: true });
}

// Signals to all processes are ignored; it ends after the cleanup.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

let record: RunRecord = { parts: [], files: [] };
let isReleased = false;
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'release') isReleased = true;
  else record = parseRunRecord(line);
}
if (!isReleased) await cleanUp(record);
