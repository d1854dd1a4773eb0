import { NoAnswerError, type Signer } from '../../client/index.ts';
import type { Desk, DeskSwap } from './desk-client.ts';

export interface Order {
  readonly mint: string;
  readonly side: 'buy' | 'sell';
  readonly amount: string;
}

export async function trade(desk: Desk, signer: Signer, order: Order): Promise<DeskSwap> {
  const swap = await desk.swap({ wallet: signer.address, ...order });
  const signed = await signer.sign(Uint8Array.from(atob(swap.transaction), (letter) => letter.charCodeAt(0)));
  await desk.send(btoa(String.fromCharCode(...signed))).catch((cause: unknown) => {
    if (!(cause instanceof NoAnswerError)) throw cause;
    throw new Error('It is not known whether the trade landed: look at what you hold before you try again.', { cause });
  });
  return swap;
}
