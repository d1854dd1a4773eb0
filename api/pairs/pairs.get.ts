import Type from 'typebox';
import * as pairs from '../../db/pairs.ts';
import type { PairRecord } from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import type { ApiDeps } from '../deps.ts';
import { sendCached } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { freshPrice } from './fresh-price.ts';

/** Query of `GET /pairs`. */
export const PairsQuerySchema = Type.Object(
  {
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only pairs of this category' })),
    launchable: Type.Optional(
      Type.Boolean({ description: '`true` leaves out retired pairs and pairs of retired categories' }),
    ),
  },
  { additionalProperties: false },
);

/** A quote token as `GET /pairs` answers it. */
export interface PairAnswer {
  readonly mint: string;
  readonly symbol: string;
  readonly category: string;
  readonly name: string;
  readonly decimals: number;
  /** Program that owns the mint: SPL Token or Token-2022. */
  readonly tokenProgram: string;
  readonly logoUrl: string | null;
  /** Whether a new launch may pair with it. */
  readonly launchable: boolean;
  /** Last known price of one token in USD, decimal string; null while it is not known or older than this pair allows. */
  readonly priceUsd: string | null;
}

const schema = {
  tags: ['Data'],
  summary: 'Launchable pairs',
  description: 'Quote tokens a new launch can pair with. Pass `mint` as `quoteMint` to launch prepare.',
  querystring: PairsQuerySchema,
  response: responses(),
};

/** `GET /pairs`: quote tokens, by symbol. Few enough for one answer. */
export function pairsGet(app: ApiInstance, { db, now }: ApiDeps): void {
  app.get('/pairs', { schema }, async (request, reply) => {
    const records = await pairs.list(db, request.query);
    const observed = await prices.latestOf(
      db,
      records.map(({ mint }) => mint),
    );
    const answers = records.map((record) => toAnswer(record, freshPrice(record, observed.get(record.mint), now())));
    return sendCached(request, reply, { seconds: 10, staleSeconds: 30 }, { pairs: answers }, { total: answers.length });
  });
}

function toAnswer(record: PairRecord, priceUsd: string | null): PairAnswer {
  const { mint, symbol, category, name, decimals, tokenProgram, logoUrl, launchable } = record;
  return { mint, symbol, category, name, decimals, tokenProgram, logoUrl, launchable, priceUsd };
}
