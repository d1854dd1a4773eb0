import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import { tryPrepare } from '../../support/claim/claimant.ts';
import { type DeskMarket, type Launched, tradeAtDesk } from '../../support/claim/desk-market.ts';
import type { SeedPair } from '../../../dev/seed/local-pairs.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { submitPatiently } from '../drill/claims.ts';
import { type FollowedLaunch, judged, launchOnce } from '../drill/load.ts';
import { type Dice, wishOf, worth } from './wishes.ts';

/** Who bought once, and does nothing since: whatever comes was paid by the platform. */
export interface Saver {
  readonly market: DeskMarket;
  /** Raw quote tokens that were left after the purchase. */
  readonly before: bigint;
}

/** A claim as its creator knows it. */
export interface MadeClaim {
  readonly intentId: string;
  readonly http: number;
  /** Whether the answer said that it was paid; while it is under way, no answer does. */
  readonly hasLanded: boolean;
}

/** Tokens that are traded, held and claimed from. */
export interface Markets {
  /** Launches one more of the next kind, has it judged before anybody trades it, and opens its market. */
  open(): Promise<void>;
  /** Somebody buys or sells in one of them. */
  trade(): Promise<void>;
  /** One of the creators claims what there is. */
  claim(): Promise<void>;
  readonly savers: readonly Saver[];
  readonly claims: readonly MadeClaim[];
  /** What was wrong with the launches, in words. */
  readonly problems: readonly string[];
  readonly count: () => number;
}

/** What a trader begins with and spends at once, and what a saver buys for, in USD. */
const [FUNDS_USD, MOST_TRADE_USD, SAVED_USD] = [50_000, 300, 150];

/** A trade that was sent is confirmed within this time, in ms. */
const UNDER_WAY_MS = 1_500;

export function createMarkets(ground: RealStack, dice: Dice): Markets {
  const traded: { readonly market: DeskMarket; readonly pair: SeedPair }[] = [];
  const [savers, claims, problems]: [Saver[], MadeClaim[], string[]] = [[], [], []];
  let opened = 0;
  // A trade in between would change what is claimed, and the stand-in for the exchange knows only one state of a pool.
  const atRest = new Set<string>();
  const any = () => {
    const open = traded.filter(({ market }) => !atRest.has(market.mint));
    const one = open[dice(open.length)];
    if (!one) throw new Error('there is no market to trade at present');
    return one;
  };
  return {
    savers,
    claims,
    problems,
    count: () => traded.length,
    async open() {
      const wish = wishOf(opened++);
      const launch = await launchOnce(ground, wish);
      const verdict = await judged(ground, launch);
      problems.push(...verdict.problems.map((problem) => `market ${launch.prepared.quoteId}: ${problem}`));
      if (verdict.outcome !== 'launched') throw new Error(`a market's launch is ${verdict.outcome}`);
      const market = await tradeAtDesk(ground, launchedBy(launch), worth(wish.pair, FUNDS_USD));
      await market.trade('buy', worth(wish.pair, MOST_TRADE_USD));
      savers.push(await save(ground, launch, wish.pair));
      traded.push({ market, pair: wish.pair });
    },
    async trade() {
      const { market, pair } = any();
      if (dice(3) > 0) return void (await market.trade('buy', worth(pair, 20 + dice(MOST_TRADE_USD))));
      const { base } = await market.holdings(market.trader.publicKey);
      await market.trade('sell', String(base / 10n ** BigInt(market.base.decimals) / BigInt(3 + dice(5))));
    },
    async claim() {
      const { mint, creator } = any().market;
      atRest.add(mint);
      try {
        await sleep(UNDER_WAY_MS);
        const made = await claimOnce(ground, mint, creator.keypair);
        if (made) claims.push(made);
      } finally {
        atRest.delete(mint);
      }
    },
  };
}

function launchedBy({ creator, prepared: { mint }, quoteMint }: FollowedLaunch): Launched {
  return { creator, mint, quoteMint };
}

async function save(ground: RealStack, launch: FollowedLaunch, pair: SeedPair): Promise<Saver> {
  const market = await tradeAtDesk(ground, launchedBy(launch), worth(pair, SAVED_USD + 10));
  await market.trade('buy', worth(pair, SAVED_USD));
  return { market, before: (await market.holdings(market.trader.publicKey)).quote };
}

/** Prepares, signs and submits until the answer is anything but "not now"; null where there is nothing to claim at present. */
async function claimOnce(ground: RealStack, mint: string, creator: Keypair): Promise<MadeClaim | null> {
  const { http, data } = await tryPrepare(ground, mint, creator.publicKey.toBase58());
  const { intentId, transaction } = data ?? {};
  if (http !== 200 || intentId === undefined || transaction === undefined) return null;
  const answer = await submitPatiently(ground, { mint, intentId, transaction }, creator);
  return { intentId, http: answer.http, hasLanded: answer.data?.landed === true };
}
