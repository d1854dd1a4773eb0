import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '../../db/connect.ts';
import * as findings from '../../db/money/findings.ts';
import { CLOSING_EFFECT } from '../../domain/money/closing.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops } from '../support/ops/ops-run.ts';

let db: Db;
let env: Record<string, string>;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connect(url);
  // Nothing listens there: a remedy that asked the worker would say so.
  env = { DATABASE_URL: url, TEMPORAL_ADDRESS: '127.0.0.1:1' };
});
afterAll(() => db.destroy());

describe('a remedy without --yes says what it would do, and asks no worker', () => {
  it.each(Object.entries(CLOSING_EFFECT))('books close %s/…', async (kind, effect) => {
    const { status, message } = await ops(env, `books close ${kind}/some/1 --note x`);
    expect([status, message]).toEqual([
      1,
      `this would ${effect} (${kind}/some/1; the last comparison found nothing of it); nothing was done. Repeat it with --yes to do it`,
    ]);
  });

  it('with the figures of the last comparison', async () => {
    const found = { kind: 'lane-ahead', subject: 'lane/17', books: 'step 3', chain: 'step 4' } as const;
    await findings.replace(db, [found]);
    expect((await ops(env, 'books adopt lane/17 --note x')).message).toContain(
      'lane-ahead: the books say step 3, the chain says step 4',
    );
  });

  it('and with it asks the worker', async () => {
    expect((await ops(env, 'books adopt lane/17 --note x --yes')).message).toContain('Temporal at 127.0.0.1:1');
  });
});

it('books close names what it takes where a subject is of another kind', async () => {
  const { status, message } = await ops(env, 'books close lane/17 --note x --yes');
  expect([status, message]).toEqual([1, expect.stringContaining('close does not take lane/17: SUBJECT is reward/')]);
});
