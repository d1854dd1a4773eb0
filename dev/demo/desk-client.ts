import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { call } from './api-client.ts';

const Anything = Compile(Type.Object({ data: Type.Object({}) }));
const Swap = Compile(
  Type.Object({ data: Type.Object({ transaction: Type.String(), amountIn: Type.String(), amountOut: Type.String() }) }),
);

/** The local desk, which exists only beside the embedded chain: it hands out tokens and builds swaps to act on. */
export function createDeskClient(siteUrl: string) {
  const post = (path: string, body: object) => ({ url: `${siteUrl}/local/${path}`, body });
  return {
    fund: (wallet: string, mint: string, amount: string) =>
      call(post('fund', { wallet, tokens: [{ mint, amount }] }), Anything),
    /** A swap for the wallet to sign; `amount` goes in, in whole tokens. */
    swap: async (wallet: string, mint: string, side: 'buy' | 'sell', amount: string) =>
      (await call(post('swap', { wallet, mint, side, amount }), Swap)).data,
  };
}

export type DeskClient = ReturnType<typeof createDeskClient>;
