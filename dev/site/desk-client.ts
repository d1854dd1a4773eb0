import { NoAnswerError } from '../../client/index.ts';
import { isRecord } from '../../client/http/shape.ts';

/** Decimal strings. */
export interface Holdings {
  readonly sol: string;
  readonly tokens: readonly { readonly mint: string; readonly amount: string }[];
}

export interface DeskSwap {
  readonly transaction: string;
  readonly amountIn: string;
  readonly amountOut: string;
}

export interface Gift {
  readonly wallet: string;
  readonly sol?: string;
  readonly tokens?: readonly { readonly mint: string; readonly amount: string }[];
}

export function createDesk(root: string) {
  return {
    fund: async (gift: Gift) => void (await post(`${root}/fund`, gift)),
    swap: async (order: { wallet: string; mint: string; side: 'buy' | 'sell'; amount: string }): Promise<DeskSwap> => {
      const { transaction, amountIn, amountOut } = await post(`${root}/swap`, order);
      return { transaction: text(transaction), amountIn: text(amountIn), amountOut: text(amountOut) };
    },
    send: async (transaction: string): Promise<string> =>
      text((await post(`${root}/send`, { transaction }))['signature']),
    holdings: async (wallet: string): Promise<Holdings> => {
      const { sol, tokens } = await post(`${root}/holdings`, { wallet });
      return { sol: text(sol), tokens: Array.isArray(tokens) ? tokens.filter(isRecord).map(holding) : [] };
    },
  };
}

export type Desk = ReturnType<typeof createDesk>;

function holding({ mint, amount }: Record<string, unknown>) {
  return { mint: text(mint), amount: text(amount) };
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error('the desk answered what this page does not know');
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const { status, answer } = await exchange(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (isRecord(answer) && isRecord(answer['data'])) return answer['data'];
  const error = isRecord(answer) && isRecord(answer['error']) ? answer['error']['message'] : undefined;
  throw new Error(typeof error === 'string' ? error : `the desk answered ${status}`);
}

async function exchange(url: string, request: RequestInit): Promise<{ status: number; answer: unknown }> {
  try {
    const response = await fetch(url, request);
    return { status: response.status, answer: await response.json() };
  } catch (cause) {
    throw new NoAnswerError('the desk does not answer', cause);
  }
}
