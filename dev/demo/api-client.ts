import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const ErrorSchema = Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) });
const PairSchema = Type.Object({
  mint: Type.String(),
  symbol: Type.String(),
  category: Type.String(),
  decimals: Type.Integer(),
});

const Pairs = Compile(Type.Object({ data: Type.Object({ pairs: Type.Array(PairSchema) }) }));
const Prepared = Compile(
  Type.Object({
    data: Type.Object({
      quoteId: Type.String(),
      mint: Type.String(),
      signedQuote: Type.String(),
      paymentTransaction: Type.String(),
      payment: Type.Object({
        lamports: Type.Integer(),
        items: Type.Array(Type.Object({ item: Type.String(), lamports: Type.Integer() })),
      }),
      openingMarketCapUsd: Type.Number(),
      devBuy: Type.Union([
        Type.Object({ tokensRaw: Type.String(), netTokensRaw: Type.Optional(Type.String()) }),
        Type.Null(),
      ]),
      expiresAt: Type.String(),
    }),
  }),
);
const StatusSchema = Type.Object({
  status: Type.Enum(['completed', 'processing', 'service_unavailable']),
  paymentSignature: Type.String(),
  mint: Type.Optional(Type.String()),
});
const Submitted = Compile(Type.Object({ data: StatusSchema }));
const StatusAnswer = Compile(
  Type.Object({
    data: Type.Object({
      ...StatusSchema.properties,
      pool: Type.Optional(Type.String()),
      feeKeyMints: Type.Tuple([Type.String(), Type.String()]),
      states: Type.Array(Type.Object({ state: Type.String(), at: Type.String() })),
    }),
  }),
);
const Failure = Compile(ErrorSchema);

/** A quote token as the demo needs to know it. */
export type DemoPair = Static<typeof PairSchema>;

/** What a creator asks for. */
export interface LaunchWish {
  readonly creatorWallet: string;
  readonly quoteMint: string;
  readonly name: string;
  readonly symbol: string;
  readonly logo: string;
  readonly mode: 'standard' | 'reward';
  readonly feeTier?: '1%' | '2%';
  readonly rewardTaxBps?: 100 | 300;
  readonly devBuyPercent?: number;
  readonly devBuySol?: number;
  readonly website?: string;
  readonly twitter?: string;
}

/** The public API as any client sees it. Every call throws an Error with the API's own code and message on a failure. */
export function createApiClient(apiUrl: string) {
  return {
    pairs: async () => (await call({ url: `${apiUrl}/pairs?launchable=true` }, Pairs)).data.pairs,
    prepare: async (body: LaunchWish) => (await call({ url: `${apiUrl}/launches/prepare`, body }, Prepared)).data,
    submit: async (body: { signedQuote: string; signedTransaction: string; logo: string }) =>
      (await call({ url: `${apiUrl}/launches/submit`, body }, Submitted)).data,
    status: async (paymentSignature: string) =>
      (await call({ url: `${apiUrl}/launches/${paymentSignature}` }, StatusAnswer)).data,
  };
}

export type ApiClient = ReturnType<typeof createApiClient>;

interface Shape<T> {
  Check(value: unknown): value is T;
}

/** A GET, or a POST of a JSON body. Throws an Error with the answer's own code and message on a failure. */
export async function call<T>(request: { url: string; body?: object }, shape: Shape<T>): Promise<T> {
  const { url, body } = request;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, body && { method: 'POST', headers, body: JSON.stringify(body) });
  const answer: unknown = await response.json();
  if (shape.Check(answer)) return answer;
  if (!Failure.Check(answer)) throw new Error(`${url} answered ${response.status} with an unexpected body`);
  throw new Error(`${url} answered ${response.status} ${answer.error.code}: ${answer.error.message}`);
}
