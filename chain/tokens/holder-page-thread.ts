import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../domain/error-text.ts';
import { answerOf, type HolderAnswer, type HolderRefusal, type HolderWish, nothingFound } from './holder-answer.ts';
import { addPage, type HolderPage, type PageForm } from './holder-page.ts';
import type { CoinAddresses } from './other-accounts.ts';

export interface PageThreadInput {
  readonly form: PageForm;
  /** base58 */
  readonly mint: string;
  readonly coin: CoinAddresses | null;
}

/** A page (transferred); at the end, the slot and what to return. */
export type PageThreadOrder =
  | { readonly body: Uint8Array<ArrayBuffer> }
  | { readonly slot: number; readonly wish: HolderWish };

export type PageThreadReply =
  | { readonly page: HolderPage | HolderRefusal }
  | { readonly answer: HolderAnswer }
  | { readonly problem: string };

const { form, mint, coin } = workerData as PageThreadInput;
const found = nothingFound(coin);

parentPort?.on('message', (order: PageThreadOrder) => {
  const reply = replyTo(order);
  const handedOver = 'answer' in reply ? buffersOf(reply.answer) : [];
  parentPort?.postMessage(reply, handedOver);
});

function replyTo(order: PageThreadOrder): PageThreadReply {
  try {
    if ('body' in order) return { page: addPage(order.body, form, mint, found) };
    return { answer: answerOf(found, order.slot, order.wish) };
  } catch (error) {
    return { problem: errorText(error) };
  }
}

function buffersOf({ owners, amounts, taxes }: HolderAnswer): ArrayBuffer[] {
  return [owners.buffer, amounts.buffer, taxes.buffer];
}
