import Type, { type Static } from 'typebox';
import * as burns from '../../db/burns.ts';
import type { ShownBurn } from '../../db/burns.ts';
import type { Db } from '../../db/connect.ts';
import * as feeHarvests from '../../db/fee-sweep/fee-harvests.ts';
import type { ShownHarvest } from '../../db/fee-sweep/fee-harvests.ts';
import * as revenue from '../../db/revenue.ts';
import type { BurnSum, RevenueTotals } from '../../db/revenue.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { BURN_KINDS, type BurnKind } from '../../domain/burn.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter } from '../schemas/parameters.ts';

const RevenueQuerySchema = Type.Object(limitParameter, { additionalProperties: false });

const schema = {
  tags: ['Data'],
  summary: 'Fee revenue, buybacks and burns',
  description:
    'What the platform’s positions brought to its treasury, valued when it was claimed; what of it is for buybacks and what was ' +
    'spent on them; what was burned. Totals, and the newest of each first. Fees of creators and of reward holders are not in it. ' +
    '`coverage` counts entries without a price, which count as zero.',
  querystring: RevenueQuerySchema,
  response: responses(),
};

/** Sweeps come by the hour. */
const LIFE: ReadLife = { memorySeconds: 2, seconds: 5, staleSeconds: 60, entries: 100 };

/** Burns of what revenue has bought. */
const BOUGHT = BURN_KINDS.filter((kind) => kind !== 'sweep');

/** `GET /revenue`: fee revenue, buybacks and burns. */
export function revenueGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ limit }: Static<typeof RevenueQuerySchema>) => ({
    data: await readRevenue(db, limit),
  }));
  app.get('/revenue', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}

async function readRevenue(db: Db, limit: number): Promise<object> {
  const [totals, sums, harvests, bought, swept] = await Promise.all([
    revenue.totals(db),
    revenue.burnSums(db),
    feeHarvests.newest(db, limit),
    burns.newest(db, BOUGHT, limit),
    burns.newest(db, ['sweep'], limit),
  ]);
  return {
    revenue: { totals: revenueTotals(totals), recent: harvests.map(harvestAnswer) },
    buybacks: { totals: buybackTotals(totals, sums), recent: bought.map(burnAnswer) },
    burns: { totals: burnTotals(sumOf(sums, 'sweep')), recent: swept.map(burnAnswer) },
  };
}

function revenueTotals({ revenueUsd, protocolUsd, buybackUsd, harvests, unpriced }: RevenueTotals) {
  return { revenueUsd, holdersRevenueUsd: buybackUsd, protocolRevenueUsd: protocolUsd, harvests, coverage: unpriced };
}

/** What is set aside for buybacks, and what those that happened were worth, are different things. */
function buybackTotals({ buybackUsd, flywheelUsd }: RevenueTotals, sums: readonly BurnSum[]) {
  return {
    allocatedUsd: buybackUsd,
    platformToken: { allocatedUsd: buybackUsd, ...spent(sumOf(sums, 'buyback')) },
    flywheel: { allocatedUsd: flywheelUsd, ...spent(sumOf(sums, 'flywheel')) },
  };
}

function spent({ valueUsd, burns, unpriced }: Omit<BurnSum, 'kind'>) {
  return { spentUsd: valueUsd, count: burns, coverage: unpriced };
}

function burnTotals({ valueUsd, burns, unpriced }: Omit<BurnSum, 'kind'>) {
  return { valueUsd, count: burns, coverage: unpriced };
}

function sumOf(sums: readonly BurnSum[], kind: BurnKind): Omit<BurnSum, 'kind'> {
  return sums.find((sum) => sum.kind === kind) ?? { valueUsd: '0', burns: 0, unpriced: 0 };
}

function harvestAnswer(harvest: ShownHarvest) {
  const { mint, symbol, signature, quoteMint, quoteSymbol, baseRaw, quoteRaw, decimals, quoteDecimals } = harvest;
  const { quoteUsd, priceSource, pricedAt, valueUsd } = harvest;
  return {
    signature,
    time: harvest.harvestedAt.toISOString(),
    mint,
    symbol,
    quoteMint,
    quoteSymbol,
    quoteAmount: formatUnits(quoteRaw, quoteDecimals),
    quoteAmountRaw: String(quoteRaw),
    baseAmount: formatUnits(baseRaw, decimals),
    baseAmountRaw: String(baseRaw),
    price: quoteUsd === null ? null : { usd: quoteUsd, source: priceSource, time: pricedAt?.toISOString() },
    valueUsd,
  };
}

function burnAnswer({ signature, burnedAt, mint, symbol, kind, amountRaw, decimals, valueUsd }: ShownBurn) {
  return {
    signature,
    time: burnedAt.toISOString(),
    mint,
    symbol,
    kind,
    amount: decimals === null ? null : formatUnits(amountRaw, decimals),
    amountRaw: String(amountRaw),
    valueUsd,
  };
}
