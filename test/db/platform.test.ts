import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import { claimEnvironment, EnvironmentMismatchError } from '../../db/platform/environment.ts';
import * as switches from '../../db/platform/switches.ts';
import { address } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

describe('the environment', () => {
  const ours = { environment: 'local', genesisHash: address() };

  it('is claimed by the first process, and many may confirm it at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => claimEnvironment(db(), ours)));
    expect(await db().selectFrom('environment').selectAll().execute()).toMatchObject([ours]);
  });

  it('is refused to another chain or another environment, naming both', async () => {
    await claimEnvironment(db(), ours);
    const genesisHash = address();
    await expect(claimEnvironment(db(), { ...ours, genesisHash })).rejects.toThrow(genesisHash);
    await expect(claimEnvironment(db(), { ...ours, environment: 'production' })).rejects.toThrow(
      EnvironmentMismatchError,
    );
  });
});

describe('switches', () => {
  it('start with launching and claiming on, and every optional feature off', async () => {
    expect(await switches.read(db())).toEqual({
      launching: 'on',
      claiming: 'on',
      devBuys: 'off',
      airdrops: 'off',
      rewardLaunches: 'off',
    });
  });

  it('remember who changed them, and the audit log why', async () => {
    await switches.set(db(), 'rewardLaunches', 'admin', { actor: 'maria', note: 'trial week' });
    expect((await switches.read(db())).rewardLaunches).toBe('admin');
    const row = (await switches.list(db())).find(({ name }) => name === 'rewardLaunches');
    expect(row).toMatchObject({ changedBy: 'maria', value: 'admin' });
    const [entry] = await auditLog.ofSubject(db(), 'switch/rewardLaunches');
    expect(entry).toMatchObject({
      actor: 'maria',
      action: 'switch.set',
      note: 'trial week',
      details: { value: 'admin' },
    });
  });

  it('refuse names and values they do not know, and then write nothing', async () => {
    await expect(async () => switches.set(db(), 'launch', 'off', { actor: 'maria' })).rejects.toThrow(
      'no switch "launch"',
    );
    await expect(async () => switches.set(db(), 'claiming', 'admin', { actor: 'maria' })).rejects.toThrow(
      'not "admin"',
    );
    expect(await auditLog.ofSubject(db(), 'switch/claiming')).toEqual([]);
  });

  it('cannot be set to a foreign value by any statement', async () => {
    const forged = sql`update switches set value = 'admin' where name = 'launching'`.execute(db());
    await expect(forged).rejects.toThrow('switches_value');
  });
});

describe('the audit log', () => {
  it('is read newest first, one subject at a time', async () => {
    await auditLog.append(db(), {
      actor: 'worker',
      action: 'launch.resolve',
      subject: 'launch/1',
      details: { by: { nested_key: 1 } },
    });
    await auditLog.append(db(), { actor: 'maria', action: 'launch.refund', subject: 'launch/1' });
    await auditLog.append(db(), { actor: 'maria', action: 'launch.refund', subject: 'launch/2' });
    const entries = await auditLog.ofSubject(db(), 'launch/1');
    expect(entries.map(({ action }) => action)).toEqual(['launch.refund', 'launch.resolve']);
    // Keys inside a document are data and stay as they were written.
    expect(entries[1]?.details).toEqual({ by: { nested_key: 1 } });
  });

  it('cannot be rewritten', async () => {
    await auditLog.append(db(), { actor: 'maria', action: 'x', subject: 'y' });
    await expect(sql`update audit_log set actor = 'nobody'`.execute(db())).rejects.toThrow('append only');
    await expect(sql`delete from audit_log`.execute(db())).rejects.toThrow('append only');
  });
});
