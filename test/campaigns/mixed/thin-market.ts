import { setTimeout as sleep } from 'node:timers/promises';
import { NATIVE_MINT } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { sql } from 'kysely';
import Type from 'typebox';
import { Check } from 'typebox/value';
import * as pairInventory from '../../../db/inventory/pair-inventory.ts';
import * as launches from '../../../db/launch/launches.ts';
import * as prices from '../../../db/prices/prices.ts';
import { SEED_PAIRS, SOL_USD } from '../../../dev/seed/local-pairs.ts';
import { lamportsForQuote, quoteForLamports } from '../../../domain/launch/dev-buy.ts';
import { lessBps } from '../../../domain/restock/restock.ts';
import { LEAST_STRETCHES, STRETCH_MS } from '../../../domain/trading/spendable-price.ts';
import { spendableUsd } from '../../support/trading/spendable.ts';
import { localPair } from '../../support/platform/local-pair.ts';
import { startSwapServer } from '../../support/restock/swap-server.ts';
import { createSwindle, type Swindle } from '../../support/restock/swindle.ts';
import { startLiar } from '../../support/rpc/scripted-node.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { count, countOf } from '../counts.ts';
import { createHiding, type Hidden } from './hiding.ts';
import { listOddPairs, ODD_PAIRS, REFUSED_PAIRS } from './odd-pairs.ts';
import type { Dice } from './wishes.ts';

/**
 * The market of a thin quote token, whose price a stranger moves for some seconds, and which sells it to the treasury; and one
 * endpoint of three that says something else of the lookup tables that the market names.
 */
export interface ThinMarket {
  /** Settings of a platform that asks this market for prices, and restocks in it. */
  readonly variables: NodeJS.ProcessEnv;
  /** The platform's endpoints: the chain's own under two names, and the liar. */
  readonly endpoints: (rpcUrl: string) => readonly string[];
  /** Lists all pairs by this market's prices, as known for an hour, and has the thin one restocked. */
  openOn(stack: RealStack): Promise<void>;
  /** Moves the price for some seconds, up or down, by little or by much. */
  move(dice: Dice): Promise<void>;
  /** Names a lookup table of a worthless token's accounts, once it is known which wallet swaps. */
  swindle(stack: RealStack): Promise<void>;
  /** Has the endpoint that lies hide signatures of histories for so many ms. */
  hide(what: Hidden, ms: number): Promise<void>;
  /** How often the price was moved, by how much. */
  readonly moved: Readonly<Record<string, number>>;
  /** Restocks by their ends. */
  restocks(stack: RealStack): Promise<Readonly<Record<string, number>>>;
  /** Dev buys that paid too little, and restocks that brought too little, by the price that nobody moved. */
  problems(stack: RealStack): Promise<string[]>;
  close(): Promise<void>;
}

const THIN = localPair('CORAL');
const MINT = THIN.mint.toBase58();

/** Beyond the most that a price may differ from its median, and within it. */
const FACTORS = [0.1, 0.85, 0.96, 1.04, 1.15, 10] as const;

/** How long a price stays moved, ms: longer than a process remembers it, shorter than it takes to become steady. */
const [LEAST_MOVED_MS, MOST_MOVED_MS] = [2_000, 5_000];

/** Most that a restock may bring less than by the median prices. */
const BELOW_MEDIAN_BPS = 500;

const MOST_LAUNCHES = 1_000_000;

const TRUE_RATE = {
  solUsd: spendableUsd(SOL_USD),
  quoteUsd: spendableUsd(THIN.usd),
  quoteDecimals: THIN.decimals,
};

/** @param isLiarFirst whether the platform prefers the endpoint that lies */
export async function startThinMarket(isLiarFirst: boolean): Promise<ThinMarket> {
  const market = await startSwapServer([...ODD_PAIRS, ...REFUSED_PAIRS.map(({ pair }) => pair)]);
  const hiding = createHiding();
  let [nodeUrl, known]: [string, Swindle | null] = ['', null];
  const liar = await startLiar(
    () => nodeUrl,
    (method, result, params) => hiding.twist(method, known?.lie(method, result, params) ?? result),
  );
  const moved: Record<string, number> = {};
  const priced = { PRICE_SOURCE: 'jupiter', JUPITER_URL: market.url };
  return {
    variables: {
      ...priced,
      RESTOCK_DAY_LAMPORTS: '1000000000000',
      RESTOCK_EVERY_SECONDS: '3600',
    },
    endpoints: (rpcUrl) => {
      nodeUrl = `${rpcUrl}/rpc/liar`;
      const honest = [rpcUrl, `${rpcUrl}/rpc/second`];
      return isLiarFirst ? [liar.url, ...honest] : [...honest, liar.url];
    },
    moved,
    hide: hiding.forAWhile,
    openOn: async (stack) => {
      await market.openOn(judgedBy(stack));
      await listOddPairs(stack, priced);
      await priceByMarket(stack);
      await restockWhatIsSold(stack);
    },
    move: async (dice) => {
      const factor = FACTORS[dice(FACTORS.length)]!;
      const usd = new Map([[MINT, (Number(THIN.usd) * factor).toFixed(9)]]);
      market.behaviour = { ...market.behaviour, usd };
      count(moved, `to ${factor}`);
      await sleep(LEAST_MOVED_MS + dice(MOST_MOVED_MS - LEAST_MOVED_MS));
      market.behaviour = { ...market.behaviour, usd: new Map() };
    },
    swindle: async (stack) => {
      liar.requests.length = 0;
      const wallet = market.requests.flatMap(({ body }) => (Check(SwapBody, body) ? [body.userPublicKey] : [])).at(-1);
      if (known !== null || wallet === undefined) return;
      const treasury = new PublicKey(stack.stack.treasury);
      const swindle = createSwindle({ pair: THIN, treasury, wallet: new PublicKey(wallet), maker: market.maker });
      await swindle.writeOn(judgedBy(stack));
      known = swindle;
      market.behaviour = { ...market.behaviour, lookupTables: [swindle.table.toBase58()] };
    },
    restocks: async ({ db }) => {
      const rounds = await db.selectFrom('restockRounds').select('state').execute();
      return countOf(rounds.map(({ state }) => state));
    },
    problems: async (stack) => [...(await devBuyProblems(stack)), ...(await restockProblems(stack))],
    close: async () => {
      await liar[Symbol.asyncDispose]();
      await market.close();
    },
  };
}

const SwapBody = Type.Object({ userPublicKey: Type.String() });

/** The endpoint that nothing is done to. */
function judgedBy({ stack }: RealStack): string {
  return `${stack.rpcUrl}/rpc/judge`;
}

async function priceByMarket({ db }: RealStack): Promise<void> {
  await sql`update pairs set price_source = 'jupiter', price_source_id = mint`.execute(db);
  const usd = [
    [NATIVE_MINT.toBase58(), SOL_USD],
    ...[...SEED_PAIRS, ...ODD_PAIRS].map((pair) => [pair.mint.toBase58(), pair.usd]),
  ];
  const moments = Array.from({ length: LEAST_STRETCHES }, (_, n) => new Date(Date.now() - (n + 1) * STRETCH_MS));
  const seen = usd.flatMap(([mint = '', price = '']) =>
    moments.map((observedAt) => ({ mint, usd: price, source: 'jupiter', observedAt })),
  );
  await prices.record(db, seen);
}

/** What dev buys take is bought again at once. */
async function restockWhatIsSold({ db }: RealStack): Promise<void> {
  const stock = THIN.treasuryTokens * 10n ** BigInt(THIN.decimals);
  const settings = { reserveRaw: 0n, restockBelowRaw: stock, restockToRaw: stock, hourRaw: null };
  await pairInventory.set(db, MINT, settings, { actor: 'campaign' });
}

async function devBuyProblems({ db }: RealStack): Promise<string[]> {
  const launched = await launches.newest(db, ['completed', 'finalized'], MOST_LAUNCHES);
  return launched.flatMap(({ quoteId, terms: { devBuy, quoteToken } }) => {
    if (devBuy === null || quoteToken.mint !== MINT) return [];
    const worth = lamportsForQuote(BigInt(devBuy.maxQuoteRaw), TRUE_RATE);
    if (BigInt(devBuy.lamports) >= worth) return [];
    return [`the dev buy of launch ${quoteId} paid ${devBuy.lamports} lamports for what is worth ${worth}`];
  });
}

async function restockProblems({ db }: RealStack): Promise<string[]> {
  const rounds = await db.selectFrom('restockRounds').selectAll().where('signature', 'is not', null).execute();
  return rounds.flatMap(({ id, state, lamports, receivedRaw }) => {
    const least = lessBps(quoteForLamports(lamports, TRUE_RATE), BELOW_MEDIAN_BPS);
    if (state !== 'done' || (receivedRaw ?? 0n) >= least) return [];
    return [`restock ${id} brought ${receivedRaw} raw units for ${lamports} lamports, at least ${least} are due`];
  });
}
