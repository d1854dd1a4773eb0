import Type, { type Static } from 'typebox';
import { address, count, figure, NetworkSchema, nullable, record, text } from '../answers/fields.ts';

const on = (description: string) => Type.Boolean({ description });

export const StatsSchema = record({
  network: NetworkSchema,
  tokens: record({
    poolsAvailable: on('Whether there is market data'),
    total: count('Tokens with a live pool'),
    graduated: count('Those of them that have graduated'),
    aboutToGraduate: count('Those that are about to'),
    rewardLaunches: count('Reward coins'),
    totalMarketCapUsd: figure('USD'),
    totalVolume24hUsd: figure('USD'),
    totalLiquidityUsd: figure('USD'),
  }),
  launches: record({
    total: count('Launches that completed'),
    last24h: count('Those of the last 24 hours'),
    creators: count('Wallets that launched'),
  }),
  pairs: record({ launchable: count('Quote tokens that a launch can pair with') }),
  revenue: record({
    totalRevenueUsd: figure('Fees claimed to the treasury, USD when they were claimed'),
    totalBuybackUsd: figure('Paid for the platform token, USD'),
  }),
  burns: record({ totalValueUsdAtBurn: figure('USD'), burnCount: count('Burns') }),
  config: record({
    graduationMarketCapUsd: figure('Market cap that graduates a token'),
    aboutToGraduateMarketCapUsd: figure('Market cap from which on it is about to'),
    openingMarketCapUsd: figure('Market cap at which a pool opens'),
    paidLaunchesEnabled: on('Whether launch prepare and submit are open'),
    apiLaunchesEnabled: on('The same'),
    claimsEnabled: on('Whether fees can be claimed'),
    rewardLaunchesEnabled: on('Whether anyone can launch a reward coin'),
    rewardLaunchesAdminOnly: on('Whether a reward launch needs the admin password'),
    devBuysEnabled: on('Whether launches can have a dev buy'),
    devBuyMaxPercent: figure('Greatest share of the supply that a dev buy takes, percent'),
    airdropsEnabled: on('Whether reward launches can have an airdrop'),
    airdropMaxPercent: figure('Greatest share of the supply of an airdrop, percent'),
    airdropMaxRecipients: count('Wallets of the greatest airdrop tier'),
    launchLabEnabled: on('A venue that this platform has not'),
    pumpLaunchesEnabled: on('A venue that this platform has not'),
    tokenSupply: figure('Tokens of a launch'),
    tokenDecimals: count('Their decimals'),
    nameMaxBytes: count('Longest name'),
    symbolMaxBytes: count('Longest symbol'),
    logoMaxBytes: count('Greatest logo'),
  }),
  payoutRule: record(
    {
      minHoldingUsd: figure('Least holding that earns rewards, USD'),
      minPayoutUsd: figure('Least share that is paid, USD; smaller ones stay in the pot'),
    },
    'The payout rule of reward coins',
  ),
  platform: record({
    environment: text('Name of this deployment'),
    exchange: text('Exchange of the pools'),
    tokenMint: nullable(address('The platform token; null where there is none')),
  }),
});

export type StatsAnswer = Static<typeof StatsSchema>;
