import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { address, launchTerms } from '../support/launch/launch-rows.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops } from '../support/ops/ops-run.ts';

let db: Db;
let env: Record<string, string>;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connect(url);
  env = { DATABASE_URL: url };
});
afterAll(() => db.destroy());

test('discard-free removes the addresses of every seed that nobody has taken, keeps the taken ones, and is audited', async () => {
  const rows = ['seed-1', 'seed-2', 'seed-2'].map((seedId) => {
    return { quoteId: randomUUID(), seedId, genesisHash: address(), addresses: launchTerms().addresses };
  });
  await launchAddresses.addFree(db, rows);
  const taken = await launchAddresses.takeOne(db, {});
  const asked = await ops(env, ['addresses', 'discard-free', '--note', 'restored', '--json']);
  expect(asked).toMatchObject({ status: 1, printed: '' });
  expect(asked.message).toContain('would remove 2 free');
  expect(await auditLog.ofSubject(db, 'addresses/free')).toEqual([]);
  const run = await ops(env, ['addresses', 'discard-free', '--note', 'restored', '--json', '--yes']);
  expect([run.status, JSON.parse(run.printed)]).toEqual([0, { discarded: 2 }]);
  expect(await launchAddresses.takeOne(db, {})).toBeNull();
  expect(await launchAddresses.byQuoteId(db, taken?.quoteId ?? '')).toEqual(taken);
  expect(await auditLog.ofSubject(db, 'addresses/free')).toMatchObject([
    { actor: 'os-user', action: 'addresses.discard', note: 'restored', details: { count: 2 } },
  ]);
});

test('discard-free --help says when to use it', async () => {
  const run = await ops({}, 'addresses discard-free --help');
  expect([run.status, run.printed]).toEqual([0, expect.stringContaining('after restoring a database')]);
});
