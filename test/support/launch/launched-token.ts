import type { Db } from '../../../db/connect.ts';
import { insertIntake } from '../../../db/launch/launch-intake.ts';
import { type LaunchedToken, recordLaunch } from '../../../db/launch/record-launch.ts';
import * as tokenMarkets from '../../../db/market/token-markets.ts';
import type { MarketUpdate } from '../../../db/market/token-markets.ts';
import type { LaunchTerms } from '../../../domain/launch/terms.ts';
import { bringTo, intakeOf, launchTerms, recordingOf } from './launch-rows.ts';

/** How a token differs from the fixture. */
export interface TokenFacts {
  readonly terms?: Partial<LaunchTerms>;
  readonly token?: Partial<LaunchedToken>;
  readonly launchedAt?: Date;
  readonly paymentSignature?: string;
  /** Figures of its market; without, it has those it opened with. */
  readonly market?: Partial<MarketUpdate>;
}

/** Launches and records a token; answers what its launch was and its mint. */
export async function launchedToken(
  db: Db,
  facts: TokenFacts = {},
): Promise<{ readonly mint: string; readonly terms: LaunchTerms; readonly paymentSignature: string }> {
  const terms = launchTerms(facts.terms);
  await insertIntake(db, intakeOf(terms));
  await bringTo(db, terms.quoteId, 'recording');
  const { launchedAt, paymentSignature } = facts;
  const recording = recordingOf(terms, {
    ...(launchedAt && { launchedAt }),
    ...(paymentSignature !== undefined && { paymentSignature }),
  });
  await recordLaunch(db, { ...recording, token: { ...recording.token, ...facts.token } });
  const { mint } = terms.addresses;
  if (facts.market) await tokenMarkets.save(db, [marketUpdate(mint, facts.market)]);
  return { mint, terms, paymentSignature: recording.paymentSignature };
}

/** Figures of a token that trades at about 10,000 USD. */
export function marketUpdate(mint: string, facts: Partial<MarketUpdate> = {}): MarketUpdate {
  return {
    mint,
    status: 'new',
    priceQuote: '0.00001',
    priceUsd: '0.000010001',
    marketCapUsd: '10001',
    highWaterMarketCapUsd: '12000.5',
    volume24hUsd: '345.67',
    liquidityUsd: '2100',
    priceChange24hPercent: '-3.25',
    lastSlot: 2_000n,
    ...facts,
  };
}

/** Terms and token of a reward launch. */
export function rewardFacts(rewardTaxBps: 100 | 300): Pick<TokenFacts, 'terms' | 'token'> {
  return {
    terms: { fee: { mode: 'reward', rewardTaxBps } },
    token: { mode: 'reward', feeTier: null, rewardTaxBps },
  };
}
