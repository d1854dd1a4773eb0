import { parentPort, workerData } from 'node:worker_threads';
import { type HolderWish, readHolderAnswer } from './holder-answer.ts';
import type { CoinAddresses } from './other-accounts.ts';

export interface HolderThreadInput {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly wish: HolderWish;
  readonly coin: CoinAddresses | null;
}

const { body, wish, coin } = workerData as HolderThreadInput;
const answer = readHolderAnswer(body, wish, coin);
parentPort?.postMessage(
  answer,
  'owners' in answer ? [answer.owners.buffer, answer.amounts.buffer, answer.taxes.buffer] : [],
);
