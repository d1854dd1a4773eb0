import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { insertSigned, type NewChainTransaction } from '../../db/money/chain-transaction-insert.ts';
import * as marks from '../../db/money/chain-transaction-marks.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { transaction } from '../../db/connect.ts';
import { abandonSigned, startBroadcast } from '../../db/money/chain-transaction-batches.ts';
import { launchPurpose, LAUNCH_STEPS, type LaunchStep, emptyingPurpose } from '../../domain/purpose.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

function signed(quoteId: string, step: LaunchStep, attempt = 1): NewChainTransaction {
  return {
    purpose: launchPurpose(quoteId, step),
    attempt,
    signature: signature(),
    wire: randomBytes(300),
    blockhash: address(),
    blockhashSlot: 5_000_000_000n,
    lastValidBlockHeight: 4_900_000_150n,
  };
}

async function bundle() {
  const quoteId = randomUUID();
  const rows = LAUNCH_STEPS.map((step) => signed(quoteId, step));
  expect(await insertSigned(db(), rows)).toEqual({ outcome: 'inserted' });
  return { quoteId, rows };
}

async function one() {
  const row = signed(randomUUID(), 1);
  await insertSigned(db(), [row]);
  return row;
}

async function broadcasting() {
  const row = await one();
  await startBroadcast(db(), [row]);
  return row;
}

const statusOf = async (row: NewChainTransaction) => (await chainTransactions.bySignature(db(), row.signature))?.status;

describe('persisting before sending', () => {
  it('keeps the signed bytes exactly and slots as bigint', async () => {
    const row = await one();
    const stored = await chainTransactions.bySignature(db(), row.signature);
    expect(stored).toMatchObject({ status: 'signed', lastValidBlockHeight: 4_900_000_150n, slot: null });
    expect(stored?.wire.equals(row.wire)).toBe(true);
  });

  it('a repeat of the same batch says that it is present', async () => {
    const { rows } = await bundle();
    expect(await insertSigned(db(), rows)).toEqual({ outcome: 'present' });
  });

  it('a second live attempt at any purpose of the batch is a conflict, names what is in the way, and writes nothing', async () => {
    const first = await one();
    const quoteId = first.purpose.split('/')[1]!;
    const rows = [signed(quoteId, 2), signed(quoteId, 1, 2)];
    const result = await insertSigned(db(), rows);
    expect(result).toMatchObject({ outcome: 'conflict', existing: [{ signature: first.signature, status: 'signed' }] });
    for (const row of rows) expect(await chainTransactions.bySignature(db(), row.signature)).toBeNull();
  });

  it('a conflict leaves the transaction it happened in usable', async () => {
    const first = await one();
    const other = await transaction(db(), async (tx) => {
      const conflict = await insertSigned(tx, [{ ...first, attempt: 2, signature: signature() }]);
      expect(conflict.outcome).toBe('conflict');
      const row = signed(randomUUID(), 1);
      await insertSigned(tx, [row]);
      return row;
    });
    expect(await statusOf(other)).toBe('signed');
  });

  it('of 20 concurrent batches for one launch exactly one is written, whole', async () => {
    const quoteId = randomUUID();
    const batches = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? [...LAUNCH_STEPS] : [...LAUNCH_STEPS].reverse()).map((step) => signed(quoteId, step)),
    );
    const results = await Promise.all(batches.map((rows) => insertSigned(db(), rows)));
    expect(results.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(1);
    const winner = batches[results.findIndex(({ outcome }) => outcome === 'inserted')]!;
    const live = await chainTransactions.liveByPrefix(db(), `launch/${quoteId}/`);
    expect(live.map((row) => row.signature).sort()).toEqual(winner.map((row) => row.signature).sort());
  });

  it('a batch in another order waits for the one before it instead of deadlocking with it', async () => {
    const quoteId = randomUUID();
    const waiting = sql<{ waits: boolean }>`select count(*) > 0 as waits from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const later = await transaction(db(), async (tx) => {
      await insertSigned(tx, [signed(quoteId, 1)]);
      const other = insertSigned(db(), [signed(quoteId, 2), signed(quoteId, 1)]);
      await expect.poll(async () => (await waiting.execute(db())).rows).toEqual([{ waits: true }]);
      expect(await insertSigned(tx, [signed(quoteId, 2)])).toEqual({ outcome: 'inserted' });
      return { other };
    });
    expect(await later.other).toMatchObject({ outcome: 'conflict', existing: [{}, {}] });
  });

  it('what was signed can never be changed', async () => {
    const row = await one();
    const forged = sql`update chain_transactions set wire = '\\x00' where signature = ${row.signature}`.execute(db());
    await expect(forged).rejects.toThrow('is signed and cannot change');
  });
});

describe('the decision to send', () => {
  it('flips the whole batch, and a repeat still says that it is broadcasting', async () => {
    const { rows, quoteId } = await bundle();
    expect((await startBroadcast(db(), rows)).ok).toBe(true);
    expect((await startBroadcast(db(), rows)).ok).toBe(true);
    const live = await chainTransactions.liveByPrefix(db(), `launch/${quoteId}/`);
    expect(live.map(({ status }) => status)).toEqual(['broadcasting', 'broadcasting', 'broadcasting', 'broadcasting']);
    expect(live.every(({ broadcastAt }) => broadcastAt instanceof Date)).toBe(true);
  });

  it('flips nothing when one of the batch was abandoned, is finished, or is unknown', async () => {
    const { rows } = await bundle();
    await abandonSigned(db(), [rows[3]!]);
    const result = await startBroadcast(db(), rows);
    expect(result.ok).toBe(false);
    expect(result.before.map(({ status }) => status)).toEqual(['signed', 'signed', 'signed', 'abandoned']);
    expect(await statusOf(rows[0]!)).toBe('signed');
    const unknown = signed(randomUUID(), 1);
    expect((await startBroadcast(db(), [rows[0]!, unknown])).before[1]).toMatchObject({ status: null });
    expect(await statusOf(rows[0]!)).toBe('signed');
  });

  it('abandons all or none, never what may have been sent, and a repeat says that it is abandoned', async () => {
    const { rows } = await bundle();
    await startBroadcast(db(), [rows[0]!]);
    expect((await abandonSigned(db(), rows)).ok).toBe(false);
    expect(await statusOf(rows[1]!)).toBe('signed');
    const rest = rows.slice(1);
    expect((await abandonSigned(db(), rest)).ok).toBe(true);
    expect((await abandonSigned(db(), rest)).ok).toBe(true);
    expect((await startBroadcast(db(), rest)).ok).toBe(false);
  });

  it('of concurrent broadcast and abandon exactly one wins, for every row of the batch, 25 times', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { rows, quoteId } = await bundle();
      const calls = [0, 1, 2, 3].map((call) => {
        const keys = call % 2 ? [...rows].reverse() : rows;
        return call < 2 ? startBroadcast(db(), keys) : abandonSigned(db(), keys);
      });
      const [sent, sentToo, given, givenToo] = (await Promise.all(calls)).map(({ ok }) => ok);
      expect([sentToo, givenToo, given]).toEqual([sent, given, !sent]);
      const statuses = await sql<{ status: string }>`
        select distinct status from chain_transactions where purpose like ${`launch/${quoteId}/%`}`.execute(db());
      expect(statuses.rows).toEqual([{ status: sent ? 'broadcasting' : 'abandoned' }]);
    }
  });

  it('refuses an empty batch', async () => {
    await expect(startBroadcast(db(), [])).rejects.toThrow(RangeError);
  });
});

describe('what the chain says', () => {
  it('lands, unlands with a fork, lands in another slot and is finalized', async () => {
    const { signature: key } = await broadcasting();
    expect(await marks.mark(db(), marks.landed(key, 10n))).toEqual({ outcome: 'moved', status: 'landed' });
    expect(await marks.mark(db(), marks.landed(key, 10n))).toEqual({ outcome: 'already', status: 'landed' });
    expect(await marks.mark(db(), marks.unlanded(key))).toEqual({ outcome: 'moved', status: 'broadcasting' });
    expect(await chainTransactions.bySignature(db(), key)).toMatchObject({ slot: null, landedAt: null });
    expect(await marks.mark(db(), marks.landed(key, 12n))).toMatchObject({ outcome: 'moved' });
    expect(await marks.mark(db(), marks.landed(key, 13n))).toMatchObject({ outcome: 'moved' });
    expect(await marks.mark(db(), marks.finalized(key, 13n))).toEqual({ outcome: 'moved', status: 'finalized' });
    expect(await chainTransactions.bySignature(db(), key)).toMatchObject({ status: 'finalized', slot: 13n });
  });

  it('an error that is not finalized keeps the purpose taken, and the transaction may still succeed', async () => {
    const row = await broadcasting();
    await marks.mark(db(), marks.failed(row.signature, { error: 'custom 6001', slot: 10n, finalized: false }));
    const next = { ...row, attempt: 2, signature: signature() };
    expect((await insertSigned(db(), [next])).outcome).toBe('conflict');
    expect(await marks.mark(db(), marks.landed(row.signature, 11n))).toMatchObject({ outcome: 'moved' });
    expect(await chainTransactions.bySignature(db(), row.signature)).toMatchObject({ status: 'landed', error: null });
  });

  it('a finalized error is final and frees the purpose for the next attempt', async () => {
    const row = await broadcasting();
    await marks.mark(db(), marks.failed(row.signature, { error: 'custom 6001', slot: 10n, finalized: false }));
    const failure = { error: 'custom 6001', slot: 10n, finalized: true };
    expect(await marks.mark(db(), marks.failed(row.signature, failure))).toMatchObject({ outcome: 'moved' });
    expect(await marks.mark(db(), marks.failed(row.signature, failure))).toMatchObject({ outcome: 'already' });
    expect(await marks.mark(db(), marks.landed(row.signature, 11n))).toEqual({ outcome: 'refused', status: 'failed' });
    const next = { ...row, attempt: 2, signature: signature() };
    expect(await insertSigned(db(), [next])).toEqual({ outcome: 'inserted' });
    expect((await chainTransactions.attemptsOf(db(), row.purpose)).map(({ status }) => status)).toEqual([
      'failed',
      'signed',
    ]);
  });

  it('a dead transaction frees its purpose and can never land any more', async () => {
    const row = await broadcasting();
    expect(await marks.markDead(db(), row.signature)).toEqual({ outcome: 'moved', status: 'dead' });
    expect(await marks.mark(db(), marks.landed(row.signature, 11n))).toEqual({ outcome: 'refused', status: 'dead' });
    const next = { ...row, attempt: 2, signature: signature() };
    expect(await insertSigned(db(), [next])).toEqual({ outcome: 'inserted' });
  });

  it('a landed transaction is not dead', async () => {
    const row = await broadcasting();
    await marks.mark(db(), marks.landed(row.signature, 10n));
    expect(await marks.markDead(db(), row.signature)).toEqual({ outcome: 'refused', status: 'landed' });
  });

  it('a signed transaction that the chain knows landed, whatever this database remembers', async () => {
    const row = await one();
    expect(await marks.mark(db(), marks.landed(row.signature, 10n))).toMatchObject({ outcome: 'moved' });
    expect((await abandonSigned(db(), [row])).ok).toBe(false);
  });

  it('no statement can leave a final status, take back a broadcast, or abandon what was sent', async () => {
    const forge = (row: NewChainTransaction, status: string) =>
      sql`update chain_transactions set status = ${status}, slot = null where signature = ${row.signature}`.execute(
        db(),
      );
    const [dead, abandoned, finalized, sent] = [
      await broadcasting(),
      await one(),
      await broadcasting(),
      await broadcasting(),
    ];
    await marks.markDead(db(), dead.signature);
    await abandonSigned(db(), [abandoned]);
    await marks.mark(db(), marks.finalized(finalized.signature, 9n));
    for (const row of [dead, abandoned, finalized]) {
      await expect(forge(row, 'broadcasting')).rejects.toThrow('cannot go from');
    }
    await expect(forge(sent, 'signed')).rejects.toThrow('cannot go from broadcasting to signed');
    await expect(forge(sent, 'abandoned')).rejects.toThrow('cannot go from broadcasting to abandoned');
  });

  it('a signature nobody persisted is an error, not a silence', async () => {
    await expect(marks.mark(db(), marks.landed('unknown', 1n))).rejects.toThrow(
      'no transaction with signature unknown',
    );
  });
});

describe('look-ups', () => {
  it('the live transactions of a launch are those of its own prefix, without dead and abandoned attempts', async () => {
    const { rows, quoteId } = await bundle();
    await bundle();
    await abandonSigned(db(), [rows[2]!, rows[3]!]);
    const again = { ...signed(quoteId, 3), attempt: 2 };
    await insertSigned(db(), [again]);
    const live = await chainTransactions.liveByPrefix(db(), `launch/${quoteId}/`);
    expect(live.map(({ purpose, attempt }) => [purpose, attempt])).toEqual([
      [launchPurpose(quoteId, 1), 1],
      [launchPurpose(quoteId, 2), 1],
      [launchPurpose(quoteId, 3), 2],
    ]);
  });

  it('a prefix is taken literally', async () => {
    const row = { ...signed(randomUUID(), 1), purpose: emptyingPurpose('a_b%c') };
    await insertSigned(db(), [row]);
    expect(await chainTransactions.liveByPrefix(db(), 'emptying/a_b%')).toHaveLength(1);
    expect(await chainTransactions.liveByPrefix(db(), 'emptying/aXb')).toEqual([]);
    expect(await chainTransactions.liveByPrefix(db(), 'emptying/_')).toEqual([]);
  });

  it('what has no end and was not touched for a while can be listed', async () => {
    const [open, done] = [await broadcasting(), await broadcasting()];
    await marks.mark(db(), marks.finalized(done.signature, 3n));
    const found = (await chainTransactions.unsettled(db(), new Date(Date.now() + 60_000), 10_000)).map(
      (row) => row.signature,
    );
    expect(found).toContain(open.signature);
    expect(found).not.toContain(done.signature);
    expect(await chainTransactions.unsettled(db(), new Date(Date.now() - 60_000))).toEqual([]);
  });
});
