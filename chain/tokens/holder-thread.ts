import { parentPort, workerData } from 'node:worker_threads';
import { type HolderWish, readHolderAnswer } from './holder-answer.ts';

export interface HolderThreadInput {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly wish: HolderWish;
}

const { body, wish } = workerData as HolderThreadInput;
const answer = readHolderAnswer(body, wish);
parentPort?.postMessage(
  answer,
  'owners' in answer ? [answer.owners.buffer, answer.amounts.buffer, answer.taxes.buffer] : [],
);
