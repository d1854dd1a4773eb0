import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BigNumber } from 'bignumber.js';
import { earningsOf } from '../../client/launch/earnings.ts';
import { deliveryFee, deliveryUnitPrice } from '../../chain/airdrop/delivery-cost.ts';
import { paymentNetworkFee } from '../../chain/launch/payment.ts';
import { REWARD_TOKEN_ACCOUNT_BYTES } from '../../chain/tokens/reward-mint.ts';
import { describeVariables } from '../../config/describe.ts';
import { ApiVariablesSchema } from '../../config/api.ts';
import type { FeeMode } from '../../domain/fee-models.ts';
import { BASE_LAMPORTS } from '../../domain/launch/launch-price.ts';
import {
  AIRDROP_RECIPIENTS,
  AIRDROP_TIERS,
  DEV_BUY_MAX_BPS,
  OPENING_MARKET_CAP_USD,
  TOKEN_DECIMALS,
  TOTAL_SUPPLY_RAW,
} from '../../domain/token-facts.ts';
import { SOL_USD } from '../seed/local-pairs.ts';
import { KINDS } from './kinds.ts';
import { partOf } from './marked-part.ts';
import { table } from './table.ts';

const COSTS = join(import.meta.dirname, '../../docs/launch-costs.md');

const VOLUMES = [1_000, 10_000, 100_000, 1_000_000];

const percentOf = (ppm: number): string => (ppm === 0 ? '–' : `${(ppm / 10_000).toFixed(2)} %`);

/** Shares of each traded dollar, by kind of launch and receiver. */
export function volumeSharesText(): string {
  const rows = KINDS.map(({ title, fee, taxPercent }) => {
    const { creator, holders, platform, exchange } = earningsOf(fee);
    const ofHolders = taxPercent === 0 ? '–' : `${percentOf(holders - taxPercent * 10_000)} + ${taxPercent} % tax`;
    return [title, percentOf(creator), ofHolders, percentOf(platform), percentOf(exchange)];
  });
  return table(['launch', 'creator', 'holders of the coin', 'platform', 'Raydium'], rows);
}

/** USD that creator or holders earn, by volume. */
export function earningsText(): string {
  const rows = VOLUMES.map((volume) => [
    `${dollars(volume)} USD`,
    ...KINDS.map(({ fee }) => {
      const { creator, holders } = earningsOf(fee);
      return dollars((volume * (creator + holders)) / 1_000_000);
    }),
  ]);
  const titles = KINDS.map(
    ({ title, taxPercent }) => `${title.replace(' (default)', '')}: ${taxPercent === 0 ? 'you' : 'holders'}`,
  );
  return table(['traded volume', ...titles], rows);
}

const dollars = (amount: number): string => new BigNumber(amount).toFormat(Number.isInteger(amount) ? 0 : 2);

interface MeasuredLaunch {
  readonly kind: string;
  readonly rent: BigNumber;
  readonly fees: BigNumber;
  readonly tip: BigNumber;
  readonly rest: BigNumber;
}

/** The rows that bench/launch-costs.ts measured on Raydium's programs, SOL. */
function measuredLaunches(): MeasuredLaunch[] {
  const lines = partOf(readFileSync(COSTS, 'utf8'), 'raydium').split('\n').slice(2);
  return lines.map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [rent, fees, takes, rest] = cells.slice(6, 10).map((cell) => new BigNumber(cell));
    if (!rent || !fees || !takes || !rest) throw new Error(`docs/launch-costs.md has a row without figures: ${line}`);
    return { kind: cells[1] ?? '', rent, fees, tip: takes.minus(rent).minus(fees), rest };
  });
}

/** The base price and its parts, in SOL and USD. */
export function priceText(): string {
  const launches = measuredLaunches();
  const base = new BigNumber(BASE_LAMPORTS.toString()).shiftedBy(-9);
  const network = new BigNumber(paymentNetworkFee(leastUnitPrice()).toString()).shiftedBy(-9);
  const row = (title: string, values: readonly BigNumber[]) => [title, ...values.map(solAndUsd)];
  return table(
    ['part', ...launches.map(({ kind }) => kind)],
    [
      row(
        'rent of mint, metadata, pool, positions, locks',
        launches.map(({ rent }) => rent),
      ),
      row(
        'network fees of the platform’s three transactions',
        launches.map(({ fees }) => fees),
      ),
      row(
        'tip of the block engine',
        launches.map(({ tip }) => tip),
      ),
      row(
        'rest, which the platform keeps',
        launches.map(({ rest }) => rest),
      ),
      row(
        '**price**',
        launches.map(() => base),
      ),
      row(
        'and your wallet’s own network fee',
        launches.map(() => network),
      ),
    ],
  );
}

const solAndUsd = (sol: BigNumber): string => `${sol.toFixed(6)} SOL, ${sol.times(SOL_USD).toFixed(2)} USD`;

/** The price of delivering an airdrop. */
export function airdropPriceText(): string {
  const rentLamports = BigInt((128 + REWARD_TOKEN_ACCOUNT_BYTES) * 6_960);
  const computeUnitPrice = deliveryUnitPrice(leastUnitPrice());
  const rows = AIRDROP_TIERS.map((tier) => {
    const recipients = AIRDROP_RECIPIENTS[tier];
    const lamports = deliveryFee({ recipients, rentLamports, computeUnitPrice });
    return [`\`${tier}\``, solAndUsd(new BigNumber(lamports.toString()).shiftedBy(-9))];
  });
  return table(['airdropTier', 'price of the delivery'], rows);
}

function leastUnitPrice(): bigint {
  const found = describeVariables(ApiVariablesSchema).find(({ name }) => name === 'PRIORITY_FEE_MIN');
  if (!found?.fallback) throw new Error('PRIORITY_FEE_MIN has no default');
  return BigInt(found.fallback);
}

/** Figures that sentences of the page need. */
export function moneyFactsText(): string {
  const supply = Number(TOTAL_SUPPLY_RAW / 10n ** BigInt(TOKEN_DECIMALS));
  const usd = new BigNumber(BASE_LAMPORTS.toString()).shiftedBy(-9).times(SOL_USD);
  const volumeFor = (fee: FeeMode) => dollars(Math.ceil(usd.times(1_000_000).toNumber() / earningsOf(fee).creator));
  const burned = KINDS.flatMap(({ taxPercent }) =>
    taxPercent === 0 ? [] : [`${dollars((supply * taxPercent) / 100)} of a ${taxPercent} % coin`],
  );
  return [
    `- **Volume that pays the price back**, at ${SOL_USD} USD for a SOL: ${volumeFor(KINDS[0]!.fee)} USD in a 1 % pool, ${volumeFor(KINDS[1]!.fee)} USD in a 2 % pool`,
    `- **Largest dev buy**: ${DEV_BUY_MAX_BPS / 100} % of the supply, ${dollars((supply * DEV_BUY_MAX_BPS) / 10_000)} tokens. At the opening price it is worth ${dollars((OPENING_MARKET_CAP_USD * DEV_BUY_MAX_BPS) / 10_000)} USD; pool fee and the rise of the price come on top`,
    `- **Deposit tax of a reward launch**, burned: ${burned.join(', ')}, less the same part of an airdrop`,
  ].join('\n');
}
