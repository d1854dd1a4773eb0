import { expect, test } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as prices from '../../db/prices/prices.ts';
import { recordLaunch } from '../../db/launch/record-launch.ts';
import * as stats from '../../db/stats.ts';
import * as tokens from '../../db/tokens.ts';
import { address, bringTo, intakeOf, launchTerms, recordingOf } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
const NOW = new Date('2026-11-21T18:00:00Z');

/** A launch that completed at a time; answers its mint. */
async function launched(creator: string, launchedAt: string): Promise<string> {
  const terms = launchTerms({ creator });
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'recording');
  await recordLaunch(db(), recordingOf(terms, { launchedAt: new Date(launchedAt) }));
  return terms.addresses.mint;
}

test('completed launches count, also of hidden tokens; open and withdrawn ones do not', async () => {
  const creator = address();
  const traded = await launched(creator, '2026-11-21T12:00:00Z');
  await launched(creator, '2026-11-19T12:00:00Z');
  const [hidden, withdrawn] = [
    await launched(address(), '2026-11-21T12:00:00Z'),
    await launched(address(), '2026-11-21T12:00:00Z'),
  ];
  for (const mint of [traded, hidden])
    await db()
      .updateTable('tokenMarkets')
      .set({ volume24hUsd: '12.50', liquidityUsd: '7' })
      .where('mint', '=', mint)
      .execute();
  await tokens.setHidden(db(), hidden, true, { actor: 'test' });
  await tokens.withdraw(db(), withdrawn);
  await insertIntake(db(), intakeOf(launchTerms()));
  expect(await stats.totals(db(), NOW)).toEqual({
    tokens: 2,
    rewardTokens: 0,
    graduatedTokens: 0,
    aboutToGraduateTokens: 0,
    marketCapUsd: '10002.4',
    volume24hUsd: '12.5',
    liquidityUsd: '7',
    launches: 3,
    launchesLast24h: 2,
    creators: 2,
    launchablePairs: 0,
    frozenPairs: 0,
    feeRevenueUsd: '0',
    burns: 0,
    burnedUsd: '0',
    buybackUsd: '0',
  });
});

test('the newest price of each token is found, and none for a token without one', async () => {
  const [one, other, none] = [address(), address(), address()];
  const at = (mint: string, usd: string, time: string) => ({ mint, usd, source: 'test', observedAt: new Date(time) });
  await prices.record(db(), [
    at(one, '2', '2026-11-21T10:00:00Z'),
    at(one, '3', '2026-11-21T11:00:00Z'),
    at(one, '1', '2026-11-21T09:00:00Z'),
    at(other, '0.5', '2026-11-20T10:00:00Z'),
  ]);
  const latest = await prices.latestOf(db(), [one, other, none]);
  expect([...latest].map(([mint, { usd }]) => [mint, usd]).sort()).toEqual(
    [
      [one, '3'],
      [other, '0.5'],
    ].sort(),
  );
  expect(await prices.latestOf(db(), [])).toEqual(new Map());
});
