import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../support/platform/api.ts';
import { type Answer, createCreator, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { signedAnew } from '../support/platform/second-signature.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

/** Stops every insert of a launch, as a stall between looking and writing would, until `release`. */
async function stallIntakes() {
  const client = new pg.Client(String(platform.variables['DATABASE_URL']));
  await client.connect();
  await client.query('begin');
  await client.query('lock table launches in share mode');
  const waiting = async () => {
    await client.query('select pg_stat_clear_snapshot()');
    // The second of two waits for the first one's lock of the quote.
    const query = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and (query like 'insert into "launches"%' or query like '%pg_advisory_xact_lock%')`;
    return (await client.query(query)).rows.length;
  };
  return {
    untilWaiting: (count: number) => eventually(async () => (await waiting()) === count || null),
    release: async () => {
      await client.query('commit');
      await client.end();
    },
  };
}

const saysUncharged = ({ charged }: Answer) => charged === false;

describe('"charged: false" is read from a row that excludes every other end', () => {
  it('while a submit is still being taken in, its late repeat is not told so, and the launch happens once', async () => {
    const creator = await createCreator(platform);
    const submission = creator.sign(await creator.prepare());
    const stalled = await stallIntakes();
    const first = creator.submit(submission);
    await stalled.untilWaiting(1);
    platform.chain.control.advanceSlots(132);
    const second = creator.submit(submission);
    await stalled.untilWaiting(2);
    await stalled.release();
    const answers = [await first, await second];
    const status = await creator.status(signatureIn(submission.signedTransaction));
    if (status.data?.status === 'completed') expect(answers.filter(saysUncharged)).toEqual([]);
    expect(new Set(answers.map(saysUncharged)).size).toBe(1);
  });

  it('a submit that came too late leaves a row, and whoever comes later reads the same in it', async () => {
    const creator = await createCreator(platform);
    const before = await creator.balance();
    const prepared = await creator.prepare();
    const submission = creator.sign(prepared);
    platform.chain.control.advanceSlots(132);
    const late = await creator.submit(submission);
    expect(late).toMatchObject({ http: 503, charged: false, error: { retryable: true } });
    expect(late.error?.message).toMatch(/came too late.*prepare the launch again/);
    const again = { ...submission, signedTransaction: signedAnew(prepared.paymentTransaction, creator.keypair) };
    expect(await creator.submit(again)).toMatchObject({ http: 503, charged: false });
    for (const { signedTransaction } of [submission, again]) {
      const status = await creator.status(signatureIn(signedTransaction));
      expect(status).toMatchObject({ http: 503, status: 'service_unavailable', charged: false });
    }
    expect(await creator.balance()).toBe(before);
  });
});

describe('a launch that was submitted before gets its own answer', () => {
  it('also where the key of its quote is gone, whoever signed the payment anew', async () => {
    const creator = await createCreator(platform);
    const { prepared, submission } = await creator.launchToEnd();
    const rotated = { ...platform.variables, QUOTE_KEYS: `new:${randomBytes(32).toString('base64')}` };
    const other = await startApi(rotated, platform.log, undefined);
    const repeat = (payload: object) =>
      other.inject({ method: 'POST', url: '/api/public/v1/launches/submit', payload });
    const again = { ...submission, signedTransaction: signedAnew(prepared.paymentTransaction, creator.keypair) };
    for (const payload of [submission, again]) {
      const answer = await repeat(payload);
      expect([answer.statusCode, answer.json<{ data: { status: string } }>().data.status]).toEqual([200, 'completed']);
    }
    expect((await repeat({ ...submission, logo: prepared.logo.replace(/.{8}$/, 'AAAAAAA=') })).statusCode).toBe(400);
    const unknown = creator.sign(await creator.prepare());
    expect((await repeat(unknown)).statusCode).toBe(400);
    await other.close();
  });
});
