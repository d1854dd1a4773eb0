import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@solana/web3.js';
import { afterAll, expect, it } from 'vitest';
import { COMMITTED, textOf } from '../../../db/catalogue/catalogue-text.ts';
import { readCatalogue } from '../../../db/catalogue/read-catalogue.ts';
import { connect, type Db } from '../../../db/connect.ts';
import { readReleases } from '../../../dev/house/releases.ts';
import { startStack } from '../../../dev/stack/index.ts';
import { layoutOf } from '../../../dev/stack/layout.ts';
import { openDeskMarket } from '../../support/claim/desk-market.ts';
import { STACK_ENV } from '../../support/dev/stand-in-stack.ts';
import { createCreator } from '../../support/platform/creator.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { createPatientApi } from '../chaos/processes/patient-api.ts';
import { callControl } from '../chaos/processes/real-stack.ts';
import { hasCommit, layOutCommit, startOlderStack } from './older-release.ts';

const PROJECT = join(import.meta.dirname, '../../..');

const folder = mkdtempSync(join(tmpdir(), 'slipway-upgrade-'));
const layout = layoutOf(join(folder, 'data'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Observations take most of a minute, so that the upgrade comes between them. */
const ENVIRONMENT = {
  ...STACK_ENV,
  REWARD_ROUND_EVERY_SECONDS: '5',
  REWARD_SNAPSHOT_WINDOW_SLOTS: '200',
  REWARD_SALE_WINDOW_SECONDS: '1',
  SEALED_LOG_EVERY_SECONDS: '2',
  SUBMIT_WAIT_SECONDS: '20',
  RATE_LIMIT_LAUNCH_PREPARE: '1000000',
};

/** Slots of the chain after the upgrade, ms. */
const FAST_SLOT_MS = 50;

/** Returns the reward round and the log that the older release has under way; null until there are both. */
async function workInFlight(db: Db): Promise<{ round: string; log: number } | null> {
  const observing = db.selectFrom('rewardRounds').select('id').where('state', '=', 'observing');
  const round = await observing
    .where('id', 'in', db.selectFrom('rewardSnapshots').select('roundId'))
    .executeTakeFirst();
  const log = await db.selectFrom('sealedLogs').select('number').where('sealSignature', 'is', null).executeTakeFirst();
  return round && log ? { round: round.id, log: log.number } : null;
}

async function reached(db: Db): Promise<string> {
  const rounds = await db.selectFrom('rewardRounds').select(['state', 'plannedAt']).execute();
  const logs = await db.selectFrom('sealedLogs').select(['number', 'sealSignature']).execute();
  return JSON.stringify({ rounds, logs });
}

it.skipIf(!readReleases(PROJECT).every(({ commit }) => hasCommit(commit))).for(readReleases(PROJECT))(
  'an upgrade of $version pays its reward round and seals its log (skipped in a clone without history)',
  { timeout: 900_000 },
  async ({ commit }) => {
    const root = join(folder, commit);
    await layOutCommit(commit, root);
    const older = await startOlderStack(root, layout.data, ENVIRONMENT);
    const { siteUrl, rpcUrl, databaseUrl } = older.addresses;
    const stack = {
      stack: { siteUrl },
      connection: new Connection(rpcUrl, 'confirmed'),
      api: createPatientApi([siteUrl]),
      chain: {
        control: {
          fund: (wallet: string, lamports: bigint) =>
            callControl(rpcUrl, 'fund', { wallet, lamports: lamports.toString() }),
        },
      },
    };
    const before = connect(databaseUrl, { onIdleError: () => undefined });
    const market = await openDeskMarket(stack, 'USDL', {
      funds: '100000',
      launch: { mode: 'reward', rewardTaxBps: 300 },
    });
    await market.trade('buy', '20000');
    await market.trade('buy', '20000');
    const creator = await createCreator(stack, 200);
    const inFlight = await eventually(
      async () => {
        // A receipt is what a log is written for.
        await creator.launchToEnd();
        return workInFlight(before);
      },
      'an observing reward round beside an unsealed log',
      () => reached(before),
    );
    await before.destroy();
    await older.stop();

    const newer = await startStack({ dataDirectory: layout.data, keep: true, env: ENVIRONMENT });
    const db = connect(newer.databaseUrl, { onIdleError: () => undefined });
    try {
      expect(textOf(await readCatalogue(db))).toBe(readFileSync(COMMITTED.schema, 'utf8'));
      await callControl(newer.rpcUrl, 'setSlotMs', { slotMs: FAST_SLOT_MS });
      const log = await eventually(async () => {
        const row = db.selectFrom('sealedLogs').selectAll().where('number', '=', inFlight.log);
        const found = await row.where('sealSignature', 'is not', null).executeTakeFirst();
        return found ?? null;
      }, 'the seal of the log that the older release wrote');
      expect(log.prices).toBeNull();
      const round = await eventually(async () => {
        const row = db.selectFrom('rewardRounds').selectAll().where('id', '=', inFlight.round);
        const found = await row.executeTakeFirstOrThrow();
        return found.state === 'done' ? found : null;
      }, 'the end of the reward round that the older release began');
      expect(round.mint).toBe(market.mint);
      const paid = await db.selectFrom('rewardPayouts').selectAll().where('roundId', '=', round.id).execute();
      expect(paid.map(({ owner }) => owner)).toContain(market.trader.publicKey.toBase58());
    } finally {
      await db.destroy();
      await newer.stop();
    }
  },
);
