import { createCache } from 'async-cache-dedupe';
import * as stats from '../../db/stats.ts';
import {
  AIRDROP_MAX_BPS,
  AIRDROP_RECIPIENTS,
  DEV_BUY_MAX_BPS,
  GRADUATION_MARKET_CAP_USD,
  LOGO_MAX_BYTES,
  NAME_MAX_BYTES,
  OPENING_MARKET_CAP_USD,
  SYMBOL_MAX_BYTES,
  TOKEN_DECIMALS,
  TOTAL_SUPPLY_RAW,
} from '../../domain/token-facts.ts';
import { formatUnits } from '../../domain/amounts.ts';
import type { Switches } from '../../domain/switches.ts';
import type { ApiDeps } from '../deps.ts';
import { sendCached } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';

/** Totals are counted over whole tables, so at most this often, in seconds. */
const TOTALS_SECONDS = 10;

const schema = {
  tags: ['Data'],
  summary: 'Aggregates and switches',
  description: 'Totals, thresholds and limits of a launch, and which optional features are available at the moment.',
  response: responses(),
};

/** `GET /stats`: what a client should ask instead of hard-coding it. */
export function statsGet(app: ApiInstance, { db, switches, config, now }: ApiDeps): void {
  const cache = createCache({ ttl: TOTALS_SECONDS, storage: { type: 'memory' } }).define('totals', () =>
    stats.totals(db, now()),
  );
  app.get('/stats', { schema }, async (request, reply) => {
    const [totals, current] = await Promise.all([cache.totals(), switches.read()]);
    const data = {
      totals,
      graduation: graduationThresholds(config.aboutToGraduateBps),
      launch: LAUNCH_FACTS,
      devBuy: { maxPercent: DEV_BUY_MAX_BPS / 100 },
      airdrop: AIRDROP_FACTS,
      features: featureStates(current),
      buyback: { platformTokenMint: config.platformToken },
      exchange: config.exchange.kind,
      environment: config.environment,
    };
    // Short, because clients read the switches here.
    return sendCached(request, reply, { seconds: 1, staleSeconds: 1 }, data);
  });
}

const LAUNCH_FACTS = {
  supply: formatUnits(TOTAL_SUPPLY_RAW, TOKEN_DECIMALS),
  decimals: TOKEN_DECIMALS,
  openingMarketCapUsd: OPENING_MARKET_CAP_USD,
  nameMaxBytes: NAME_MAX_BYTES,
  symbolMaxBytes: SYMBOL_MAX_BYTES,
  logoMaxBytes: LOGO_MAX_BYTES,
};

const AIRDROP_FACTS = {
  maxPercent: AIRDROP_MAX_BPS / 100,
  tiers: Object.entries(AIRDROP_RECIPIENTS).map(([tier, recipients]) => ({ tier, recipients })),
};

function graduationThresholds(aboutToGraduateBps: number) {
  return {
    graduatedMarketCapUsd: GRADUATION_MARKET_CAP_USD,
    aboutToGraduateMarketCapUsd: (GRADUATION_MARKET_CAP_USD * aboutToGraduateBps) / 10_000,
    aboutToGraduateRatio: aboutToGraduateBps / 10_000,
  };
}

/** Availability as a client needs it: what is on, and how reward launches are open. */
function featureStates(switches: Switches) {
  return {
    launching: switches.launching === 'on',
    claiming: switches.claiming === 'on',
    devBuys: switches.devBuys === 'on',
    airdrops: switches.airdrops === 'on',
    rewardLaunches: switches.rewardLaunches,
  };
}
