import Type from 'typebox';
import { Compile } from 'typebox/compile';

const Failure = Compile(Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) }));
const Anything = Compile(Type.Object({ data: Type.Object({}) }));
const Swap = Compile(
  Type.Object({ data: Type.Object({ transaction: Type.String(), amountIn: Type.String(), amountOut: Type.String() }) }),
);

export function createDeskClient(siteUrl: string) {
  const post = (path: string, body: object) => ({ url: `${siteUrl}/local/${path}`, body });
  return {
    fund: (wallet: string, mint: string, amount: string) =>
      call(post('fund', { wallet, tokens: [{ mint, amount }] }), Anything),
    /** Builds a swap for the wallet to sign; `amount` goes in, whole tokens. */
    swap: async (wallet: string, mint: string, side: 'buy' | 'sell', amount: string) =>
      (await call(post('swap', { wallet, mint, side, amount }), Swap)).data,
  };
}

export type DeskClient = ReturnType<typeof createDeskClient>;

interface Shape<T> {
  Check(value: unknown): value is T;
}

/** Throws an Error with the answer's code and message. */
async function call<T>({ url, body }: { url: string; body: object }, shape: Shape<T>): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer: unknown = await response.json();
  if (shape.Check(answer)) return answer;
  if (!Failure.Check(answer)) throw new Error(`${url} answered ${response.status} with an unexpected body`);
  throw new Error(`${url} answered ${response.status} ${answer.error.code}: ${answer.error.message}`);
}
