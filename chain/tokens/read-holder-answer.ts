import { Worker } from 'node:worker_threads';
import { type HolderAnswer, type HolderRefusal, type HolderWish, readHolderAnswer } from './holder-answer.ts';
import type { HolderThreadInput } from './holder-thread.ts';
import type { CoinAddresses } from './other-accounts.ts';

/** More would block the event loop. */
const READ_AT_ONCE_BYTES = 256 * 1_024;

let last: Promise<unknown> = Promise.resolve();

export function readHolderAnswerAside(
  body: Uint8Array<ArrayBuffer>,
  wish: HolderWish,
  coin: CoinAddresses | null,
): Promise<HolderAnswer | HolderRefusal> {
  if (body.length <= READ_AT_ONCE_BYTES) return Promise.resolve().then(() => readHolderAnswer(body, wish, coin));
  const read = last.then(() => readInThread({ body, wish, coin }));
  last = read.catch(() => undefined);
  return read;
}

function readInThread(input: HolderThreadInput): Promise<HolderAnswer | HolderRefusal> {
  const { promise, resolve, reject } = Promise.withResolvers<HolderAnswer | HolderRefusal>();
  const thread = new Worker(new URL('./holder-thread.ts', import.meta.url), {
    workerData: input,
    transferList: [input.body.buffer],
  });
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error('the thread that reads holders ended without an answer')));
  return promise;
}
