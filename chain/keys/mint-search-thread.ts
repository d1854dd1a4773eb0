import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type MintSearchInput, searchMint } from './mint-search.ts';

export interface MintSearchThreadInput extends MintSearchInput {
  /** Most of one core that the search uses, 1 to 100. */
  readonly cpuPercent: number;
}

/** Work between two pauses, ms. */
const SLICE_MS = 10;

const input = workerData as MintSearchThreadInput;

// On Linux this is the priority of the calling thread alone; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

parentPort?.on('message', () => void search());

async function search(): Promise<void> {
  for (;;) {
    const begunAt = performance.now();
    const quoteId = searchMint(input, () => performance.now() - begunAt >= SLICE_MS);
    const workedMs = performance.now() - begunAt;
    // Before the reply, which is followed by the next order.
    await sleep((workedMs * (100 - input.cpuPercent)) / input.cpuPercent);
    if (quoteId !== null) return parentPort?.postMessage(quoteId);
  }
}
