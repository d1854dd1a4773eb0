import { createCache } from 'async-cache-dedupe';
import * as stats from '../../db/stats.ts';
import type { Totals } from '../../db/stats.ts';
import {
  AIRDROP_MAX_BPS,
  AIRDROP_RECIPIENTS,
  DEV_BUY_MAX_BPS,
  LOGO_MAX_BYTES,
  NAME_MAX_BYTES,
  OPENING_MARKET_CAP_USD,
  SYMBOL_MAX_BYTES,
  TOKEN_DECIMALS,
  TOTAL_SUPPLY_RAW,
} from '../../domain/token-facts.ts';
import { ABOUT_TO_GRADUATE_BPS, GRADUATION_MARKET_CAP_USD } from '../../domain/market/graduation.ts';
import { networkOf } from '../../domain/network.ts';
import { areAirdropsOffered, type Switches } from '../../domain/switches.ts';
import { toNumber, toTokens } from '../answers/numbers.ts';
import type { ApiDeps } from '../deps.ts';
import { sendCached } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { type StatsAnswer, StatsSchema } from './stats.schema.ts';

/** Seconds. */
const TOTALS_SECONDS = 1;

const schema = {
  tags: ['Data'],
  operationId: 'getStats',
  summary: 'Aggregates and switches',
  description: 'Totals, thresholds and limits of a launch, and which optional features are available at the moment.',
  response: responses(StatsSchema),
};

export function statsGet(app: ApiInstance, { reads, switches, config, now, launching }: ApiDeps): void {
  const cache = createCache({ ttl: TOTALS_SECONDS, storage: { type: 'memory' } }).define('totals', () =>
    stats.totals(reads, now()),
  );
  const { environment, platformToken } = config;
  const network = networkOf(launching.scope.genesisHash);
  const payoutRule = {
    minHoldingUsd: toNumber(config.rewardRules.minHoldingUsd),
    minPayoutUsd: toNumber(config.rewardRules.minPayoutUsd),
  };
  const platform = { environment, exchange: launching.exchange.kind, tokenMint: platformToken };
  app.get('/stats', { schema }, async (request, reply) => {
    const [totals, current] = await Promise.all([cache.totals(), switches.read()]);
    const canSell = totals.frozenPairs === 0 || totals.frozenPairs < totals.launchablePairs;
    const data: StatsAnswer = {
      network,
      ...totalsAnswer(totals),
      config: { ...LIMITS, ...THRESHOLDS, ...switchStates(current, canSell) },
      payoutRule,
      platform,
    };
    // Short: clients read the switches here.
    return sendCached(request, reply, { seconds: 1, staleSeconds: 1 }, data);
  });
}

const LIMITS = {
  openingMarketCapUsd: OPENING_MARKET_CAP_USD,
  devBuyMaxPercent: DEV_BUY_MAX_BPS / 100,
  airdropMaxPercent: AIRDROP_MAX_BPS / 100,
  airdropMaxRecipients: Math.max(...Object.values(AIRDROP_RECIPIENTS)),
  tokenSupply: toTokens(TOTAL_SUPPLY_RAW, TOKEN_DECIMALS),
  tokenDecimals: TOKEN_DECIMALS,
  nameMaxBytes: NAME_MAX_BYTES,
  symbolMaxBytes: SYMBOL_MAX_BYTES,
  logoMaxBytes: LOGO_MAX_BYTES,
  launchLabEnabled: false,
  pumpLaunchesEnabled: false,
};

function totalsAnswer(totals: Totals): Pick<StatsAnswer, 'tokens' | 'launches' | 'pairs' | 'revenue' | 'burns'> {
  return {
    tokens: {
      poolsAvailable: true,
      total: totals.tokens,
      graduated: totals.graduatedTokens,
      aboutToGraduate: totals.aboutToGraduateTokens,
      rewardLaunches: totals.rewardTokens,
      totalMarketCapUsd: toNumber(totals.marketCapUsd),
      totalVolume24hUsd: toNumber(totals.volume24hUsd),
      totalLiquidityUsd: toNumber(totals.liquidityUsd),
    },
    launches: { total: totals.launches, last24h: totals.launchesLast24h, creators: totals.creators },
    pairs: { launchable: totals.launchablePairs },
    revenue: { totalRevenueUsd: toNumber(totals.feeRevenueUsd), totalBuybackUsd: toNumber(totals.buybackUsd) },
    burns: { totalValueUsdAtBurn: toNumber(totals.burnedUsd), burnCount: totals.burns },
  };
}

const THRESHOLDS = {
  graduationMarketCapUsd: GRADUATION_MARKET_CAP_USD,
  aboutToGraduateMarketCapUsd: (GRADUATION_MARKET_CAP_USD * ABOUT_TO_GRADUATE_BPS) / 10_000,
};

/** @param canSell of any launchable pair the treasury's account is not frozen */
function switchStates(switches: Switches, canSell: boolean) {
  const launching = switches.launching === 'on';
  return {
    paidLaunchesEnabled: launching,
    apiLaunchesEnabled: launching,
    claimsEnabled: switches.claiming === 'on',
    devBuysEnabled: switches.devBuys === 'on' && canSell,
    airdropsEnabled: areAirdropsOffered(switches),
    rewardLaunchesEnabled: switches.rewardLaunches === 'open',
    rewardLaunchesAdminOnly: switches.rewardLaunches === 'admin',
  };
}
