import { Connection } from '@temporalio/client';
import { NATIVE_MINT } from '@solana/spl-token';
import type { LaunchPools } from '../../../../chain/exchange/exchange.ts';
import { openingProblem } from '../../../../chain/exchange/opening-problem.ts';
import { quoteTokenOf } from '../../../../chain/launch/pool-request.ts';
import { createConfiguredPrices } from '../../../../chain/prices/configured-prices.ts';
import { createJitoRelay } from '../../../../chain/relay/jito-relay.ts';
import { readTipFloor } from '../../../../chain/network-fees/tip-floor.ts';
import type { Rpc } from '../../../../chain/rpc/rpc.ts';
import { createStore } from '../../../../chain/storage/create-store.ts';
import { RETENTION_DAYS } from '../../../../config/temporal.ts';
import type { SharedConfig } from '../../../../config/shared.ts';
import type { Db } from '../../../../db/connect.ts';
import * as pairs from '../../../../db/pairs.ts';
import { createPriceLookups } from '../../../../db/prices/price-lookups.ts';
import { errorText, errorTextWithCauses } from '../../../../domain/error-text.ts';
import { opsCommand } from '../status/line.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const DAY_SECONDS = 86_400;

export async function temporalFindings({ connection: how, namespace }: SharedConfig['temporal']): Promise<Finding[]> {
  const connection = await Connection.connect({ ...how, connectTimeout: CONNECT_TIMEOUT_MS });
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
    const days = Math.floor(seconds / DAY_SECONDS);
    const found = ok('temporal', `${how.address} has namespace "${namespace}"`);
    if (days >= RETENTION_DAYS) return [found];
    return [
      found,
      note('temporal', `closed workflows are kept for ${days} days; the worker asks for ${RETENTION_DAYS}`),
    ];
  } finally {
    await connection.close();
  }
}

export async function blockEngineFindings(url: string): Promise<Finding[]> {
  const relay = createJitoRelay({ url });
  try {
    const { length } = await relay.tipAccounts();
    return [ok('block engine', `${url} answers with ${length} tip accounts`)];
  } finally {
    relay.close();
  }
}

/** Checks the tip floor; without it launches use the least tip. */
export async function tipFloorFindings(url: string): Promise<Finding[]> {
  try {
    return [ok('tip floor', `half of the tips that landed were at most ${await readTipFloor(url, '50')} lamports`)];
  } catch (error) {
    return [note('tip floor', `${errorText(error)}; tips are TIP_MIN_LAMPORTS meanwhile`)];
  }
}

/** The same bytes always have the same address. */
const PROBE = Buffer.from('{"slipway":"a check of the store"}');

export async function storageFindings({ storage, siteUrl }: SharedConfig): Promise<Finding[]> {
  const uri = await createStore(storage, siteUrl).put(PROBE, 'application/json');
  return [ok('storage', `${storage.kind} took a file and serves it as ${uri}`)];
}

export interface PriceParts {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly prices: SharedConfig['prices'];
  readonly exchange: Pick<LaunchPools, 'planLaunch' | 'poolFees'>;
}

/** Checks that each pair has a price, at which a pool can open and a full dev buy be made. */
export async function priceFindings({ db, rpc, prices, exchange }: PriceParts): Promise<Finding[]> {
  const reasons: string[] = [];
  const source = createConfiguredPrices(prices, {
    ...createPriceLookups(db),
    agreedTokens: (mints) => rpc.agreedTokens(mints),
    finalMoment: () => rpc.finalMoment(),
    currentSlot: async () => (await rpc.head('processed')).slot,
    now: () => new Date(),
    logger: { warn: ({ err }) => void reasons.push(errorTextWithCauses(err)) },
  });
  const listed = await pairs.list(db, { launchable: true });
  const wanted = [{ symbol: 'SOL', mint: NATIVE_MINT.toBase58() }, ...listed];
  const failures = await Promise.all(
    wanted.map(async ({ symbol, mint }) => {
      try {
        const { usd: quotePriceUsd } = await source.spotUsd(mint);
        const quoteToken = listed.find((pair) => pair.mint === mint);
        const quote = quoteToken && quoteTokenOf({ quoteToken });
        const why = quote && (await openingProblem(exchange, { quote, quotePriceUsd }));
        if (why === undefined) return [];
        const what = `${symbol} cannot be launched with at ${quotePriceUsd} USD: ${why}`;
        return [problem('prices', what, opsCommand(`pairs retire ${mint}`))];
      } catch (error) {
        return [
          problem('prices', `${symbol}: ${errorText(error)}`, 'look at PRICE_SOURCE, or set another with pairs add'),
        ];
      }
    }),
  );
  const said = [...new Set(reasons)].map((reason) => note('prices', `a source said: ${reason}`));
  const found = failures.flat();
  if (found.length === 0) return [ok('prices', `all ${wanted.length} are fresh`)];
  return [...found, ...said];
}
