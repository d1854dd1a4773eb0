import Type, { type Static } from 'typebox';
import * as burns from '../../db/burns.ts';
import type { Burn, BurnTotals } from '../../db/burns.ts';
import type { Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import * as tokens from '../../db/tokens.ts';
import { burnSourceOf } from '../../domain/burn.ts';
import { AppError } from '../../domain/errors.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { burnFields } from '../answers/burns.ts';
import { address, count, figure, moment, nullable, record, text } from '../answers/fields.ts';
import { toNumber, toNumberOrNull, toPercent } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter, MintParamsSchema } from '../schemas/parameters.ts';

const BurnsQuerySchema = Type.Object(limitParameter, { additionalProperties: false });

const BurnSchema = record({
  ...burnFields,
  symbol: text('Symbol'),
  ...amountFields('amount', 'Tokens'),
});

export const BurnsSchema = record({
  mint: address('Mint'),
  totals: record({
    mint: address('Mint'),
    symbol: text('Symbol'),
    decimals: count('Decimals'),
    ...amountFields('amount', 'All that was burned, in tokens'),
    percentOfSupply: figure('The same in percent of the supply that was launched'),
    valueUsdAtBurn: figure('Worth in USD; burns without a price count as zero'),
    burnCount: count('Burns'),
    unpricedCount: count('Burns without a price'),
    lastBurnAt: nullable(moment('The newest burn; null before the first')),
  }),
  burns: Type.Array(BurnSchema),
});

const schema = {
  tags: ['Data'],
  operationId: 'getBurns',
  summary: 'Burns of a token',
  description:
    'Burns of a token by the platform: fees that the fee sweep collected in it, the tax withheld from a reward coin’s ' +
    'liquidity, and what revenue bought of it. Totals, and the newest burns first.',
  params: MintParamsSchema,
  querystring: BurnsQuerySchema,
  response: responses(BurnsSchema),
};

/** Sweeps are hourly. */
const LIFE: ReadLife = { memorySeconds: 2, seconds: 5, staleSeconds: 25, entries: 500 };

type BurnsInput = Static<typeof BurnsQuerySchema> & Static<typeof MintParamsSchema>;

export function burnsGet(app: ApiInstance, { db, reads }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, limit }: BurnsInput) => {
    const token = await requireToken(db, mint);
    const [totals, recent] = await Promise.all([burns.totalsOf(reads, mint), burns.ofMint(reads, mint, limit)]);
    const data: Static<typeof BurnsSchema> = {
      mint,
      totals: totalsAnswer(token, totals),
      burns: recent.map((burn) => burnAnswer(token, burn)),
    };
    return { data };
  });
  app.get('/tokens/:mint/burns', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}

interface BurnedToken {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
}

/**
 * Finds a launched or quote token: both are burned.
 *
 * @throws AppError `not_found`
 */
async function requireToken(db: Db, mint: string): Promise<BurnedToken> {
  const token = (await tokens.byMint(db, mint)) ?? (await pairs.byMint(db, mint));
  if (!token) throw new AppError('not_found', `there is no token with mint ${mint}`);
  return token;
}

function totalsAnswer(
  { mint, symbol, decimals }: BurnedToken,
  totals: BurnTotals,
): Static<typeof BurnsSchema>['totals'] {
  const { burns, amountRaw, valueUsd, unpriced, lastBurnedAt } = totals;
  return {
    mint,
    symbol,
    decimals,
    ...amountAnswer('amount', amountRaw, decimals),
    percentOfSupply: toPercent(amountRaw, TOTAL_SUPPLY_RAW),
    valueUsdAtBurn: toNumber(valueUsd),
    burnCount: burns,
    unpricedCount: unpriced,
    lastBurnAt: lastBurnedAt?.toISOString() ?? null,
  };
}

function burnAnswer({ symbol, decimals }: BurnedToken, burn: Burn): Static<typeof BurnSchema> {
  const { signature, burnedAt, amountRaw, valueUsd, kind } = burn;
  return {
    signature,
    symbol,
    ...amountAnswer('amount', amountRaw, decimals),
    valueUsdAtBurn: toNumberOrNull(valueUsd),
    source: burnSourceOf(kind),
    burnedAt: burnedAt.toISOString(),
  };
}
