import { expect, it } from 'vitest';
import { grantToApi } from '../../db/api-role.ts';
import { type Db, transaction } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import * as webhookKeys from '../../db/events/webhook-keys.ts';
import { toCursor } from '../../domain/events/event-cursor.ts';
import { sql } from 'kysely';
import { useDatabase } from '../support/db/use-database.ts';
import { untilVisible } from '../support/events/read-events.ts';
import { address } from '../support/launch/launch-rows.ts';
import { ops as run } from '../support/ops/ops-run.ts';

const { db, url } = useDatabase();
const ops = (line: string) => run({ DATABASE_URL: url() }, line);
const json = async (line: string) => {
  const { status, message, printed } = await ops(`${line} --json`);
  expect([status, message]).toEqual([0, undefined]);
  return JSON.parse(printed) as Record<string, unknown>;
};
interface Listed {
  readonly endpoints: readonly Record<string, unknown>[];
  readonly publicKeys: readonly unknown[];
}
const listed = async () => (await json('webhooks list')) as unknown as Listed;

it('an endpoint is added with a secret that is shown once, paused, resumed, replayed and removed', async () => {
  await webhookKeys.note(db(), [{ seedId: 'seed-1', publicKey: 'whpk_public' }]);
  const mint = address();
  const added = await json(`webhooks add https://receiver.example/hook --types burn,buyback --mint ${mint}`);
  expect(added).toMatchObject({
    id: expect.stringMatching(/^wh_[0-9a-f]{16}$/) as string,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
    filter: { types: ['burn', 'buyback'], mint },
    publicKeys: ['whpk_public'],
  });
  const { id, secret } = added as { id: string; secret: string };
  const shown = await ops('webhooks');
  expect(shown.printed).toMatch(new RegExp(`${id} .* active`));
  expect(shown.printed).toContain('v1a public key: whpk_public');
  expect([shown.printed, JSON.stringify(await listed())].join('')).not.toContain(secret.slice('whsec_'.length));
  await json(`webhooks pause ${id} --actor anna`);
  expect((await listed()).endpoints).toMatchObject([{ id, pausedBecause: 'by anna' }]);
  await json(`webhooks resume ${id}`);
  expect((await listed()).endpoints).toMatchObject([{ id, pausedBecause: null, failures: 0 }]);
  await json(`webhooks replay ${id} --from oldest`);
  expect((await listed()).endpoints).toMatchObject([{ id, cursor: toCursor(await eventLog.oldest(db())) }]);
  const audited = await db().selectFrom('auditLog').selectAll().where('subject', '=', `webhook/${id}`).execute();
  expect(audited.map(({ action }) => action)).toEqual(
    ['add', 'pause', 'resume', 'replay'].map((what) => `webhook.${what}`),
  );
  expect(JSON.stringify(audited.map(({ details, note }) => [details, note]))).not.toContain(secret);
  await json(`webhooks remove ${id} --note gone --yes`);
  expect((await listed()).endpoints).toEqual([]);
  expect(await ops(`webhooks pause ${id}`)).toMatchObject({
    status: 1,
    message: expect.stringContaining(id) as string,
  });
});

it('a replay can begin at a time: every event from then on lies behind that place', async () => {
  const write = (at: string, name: string) =>
    sql`insert into events (type, at, day, mint, body)
      values ('burn', ${at}::timestamptz, event_day(${at}::timestamptz), ${name}, '{}')`.execute(db());
  await write('2026-11-20T10:00:00Z', 'early');
  await write('2026-11-20T12:00:00Z', 'late');
  await untilVisible(db());
  const place = await eventLog.placeBefore(db(), new Date('2026-11-20T11:00:00Z'));
  const { events } = await eventLog.readAfter(db(), place, { types: ['burn'] }, 10);
  expect(events.map(({ mint }) => mint)).toEqual(['late']);
});

it('a replay from a time has the events of a transaction that is still open then', async () => {
  const at = '2126-01-01T00:00:00Z';
  const write = (through: Db, name: string) =>
    sql`insert into events (type, at, day, mint, body)
      values ('burn', ${at}::timestamptz, event_day(${at}::timestamptz), ${name}, '{}')`.execute(through);
  const place = await transaction(db(), async (tx) => {
    await write(tx, 'open');
    await write(db(), 'later');
    return eventLog.placeBefore(db(), new Date(at));
  });
  await untilVisible(db());
  const { events } = await eventLog.readAfter(db(), place, { types: ['burn'] }, 10);
  expect(events.map(({ mint }) => mint)).toEqual(['open', 'later']);
});

it.each([
  ['http://receiver.example/hook', 'is not an https URL'],
  ['ftp://receiver.example/hook', 'is not an https URL'],
  ['https://user:secret@receiver.example/hook', 'no user name'],
  ['https://169.254.169.254/latest', 'is not a public address'],
  ['https://[fd00::1]/', 'is not a public address'],
  ['https://2130706434/', 'is not a public address'],
  ['receiver', 'is not a URL'],
])('%s is refused as a receiver', async (text, reason) => {
  expect(await ops(`webhooks add ${text}`)).toMatchObject({
    status: 1,
    message: expect.stringContaining(reason) as string,
  });
});

it.each([
  ['--types trade.finished', 'is no type of event'],
  ['--wallet me', '--wallet me is not an address'],
  ['--from yesterday', 'neither oldest, now, a cursor nor a time'],
])('%s is refused', async (option, reason) => {
  const line = `webhooks add https://receiver.example ${option}`;
  expect(await ops(line)).toMatchObject({ status: 1, message: expect.stringContaining(reason) as string });
});

it('the role of the API cannot read the table with the secrets', async () => {
  const role = `api_${Date.now()}`;
  await sql`create role ${sql.id(role)}`.execute(db());
  await grantToApi(db(), role);
  const { rows } = await sql<{ can: boolean }>`
    select has_table_privilege(${role}, 'webhook_endpoints', 'select') as can`.execute(db());
  expect(rows).toEqual([{ can: false }]);
  await sql`drop owned by ${sql.id(role)}; drop role ${sql.id(role)}`.execute(db());
});
