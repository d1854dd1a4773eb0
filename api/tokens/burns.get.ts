import Type, { type Static } from 'typebox';
import * as burns from '../../db/burns.ts';
import type { Burn, BurnTotals } from '../../db/burns.ts';
import type { TradedToken } from '../../db/market/trades.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter, MintParamsSchema } from '../schemas/parameters.ts';
import { requireTradedToken } from './traded-token.ts';

const BurnsQuerySchema = Type.Object(limitParameter, { additionalProperties: false });

const schema = {
  tags: ['Data'],
  summary: 'Burns of a token',
  description:
    'What the platform’s fee sweep burned of a token: fees that accrued in it, and on a reward coin the tax withheld from its ' +
    'liquidity. Totals, and the newest burns first. `valueUsd` is null where there was no fresh price.',
  params: MintParamsSchema,
  querystring: BurnsQuerySchema,
  response: responses(),
};

/** Sweeps come by the hour. */
const LIFE: ReadLife = { memorySeconds: 2, seconds: 5, staleSeconds: 60, entries: 500 };

type BurnsInput = Static<typeof BurnsQuerySchema> & Static<typeof MintParamsSchema>;

/** `GET /tokens/{mint}/burns`: totals and recent burns by the platform's fee sweep. */
export function burnsGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, limit }: BurnsInput) => {
    const token = await requireTradedToken(db, mint);
    const [totals, recent] = await Promise.all([
      burns.totalsOf(db, mint, 'sweep'),
      burns.ofMint(db, mint, 'sweep', limit),
    ]);
    const data = {
      mint,
      totals: totalsAnswer(token, totals),
      burns: recent.map((burn) => burnAnswer(token, burn)),
    };
    return { data, list: { total: totals.count } };
  });
  app.get('/tokens/:mint/burns', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}

function totalsAnswer({ decimals }: TradedToken, { count, amountRaw, valueUsd, unpriced }: BurnTotals) {
  return {
    count,
    amount: formatUnits(amountRaw, decimals),
    amountRaw: String(amountRaw),
    // Millionths of a percent, as an exact decimal.
    percentOfSupply: formatUnits((amountRaw * 100_000_000n) / TOTAL_SUPPLY_RAW, 6),
    valueUsd,
    unpriced,
  };
}

function burnAnswer({ decimals }: TradedToken, { signature, burnedAt, amountRaw, valueUsd }: Burn) {
  return {
    signature,
    time: burnedAt.toISOString(),
    amount: formatUnits(amountRaw, decimals),
    amountRaw: String(amountRaw),
    valueUsd,
  };
}
