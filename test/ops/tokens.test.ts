import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import { connect, type Db } from '../../db/connect.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { recordLaunch } from '../../db/launch/record-launch.ts';
import * as tokens from '../../db/tokens.ts';
import { address, bringTo, intakeOf, launchTerms, recordingOf } from '../support/launch/launch-rows.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops } from '../support/ops/ops-run.ts';

let db: Db;
let env: Record<string, string>;
let mint: string;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connect(url);
  env = { DATABASE_URL: url };
});
beforeEach(async () => {
  const terms = launchTerms({ links: { website: 'https://old.site/', telegram: 'https://t.me/old' } });
  await insertIntake(db, intakeOf(terms));
  await bringTo(db, terms.quoteId, 'recording');
  await recordLaunch(db, recordingOf(terms));
  mint = terms.addresses.mint;
});
afterAll(() => db.destroy());

const token = () => tokens.byMint(db, mint);
const audit = () => auditLog.ofSubject(db, `token/${mint}`);
const links = (...options: string[]) => ops(env, ['tokens', 'links', mint, ...options]);

test('hide takes a token out of lists, show brings it back, and both are audited', async () => {
  const hidden = await ops(env, ['tokens', 'hide', mint, '--note', 'copy of a brand', '--actor', 'ada']);
  expect([hidden.status, hidden.printed]).toEqual([0, `${mint} is hidden\n`]);
  expect(await token()).toMatchObject({ hidden: true });
  expect(JSON.parse((await ops(env, `tokens show ${mint} --json`)).printed)).toEqual({ mint, hidden: false });
  expect(await token()).toMatchObject({ hidden: false });
  expect((await audit()).map(({ actor, action, note }) => [actor, action, note])).toEqual([
    ['os-user', 'token.show', null],
    ['ada', 'token.hide', 'copy of a brand'],
  ]);
});

test('links changes what is named, leaves the rest, and is audited', async () => {
  expect(
    (await links('--website', 'https://new.site', '--twitter', 'https://x.com/new', '--note', 'moved')).status,
  ).toBe(0);
  const changed = { website: 'https://new.site/', twitter: 'https://x.com/new', telegram: 'https://t.me/old' };
  expect((await token())?.links).toEqual(changed);
  expect((await audit())[0]).toMatchObject({ action: 'token.links', note: 'moved', details: changed });
});

test('links takes a link away with --no-…', async () => {
  expect((await links('--no-telegram')).status).toBe(0);
  expect((await token())?.links).toEqual({ website: 'https://old.site/' });
});

test.each(['http://new.site', 'https://127.0.0.1/', 'https://localhost', 'nonsense'])(
  'links refuses %s and changes nothing',
  async (url) => {
    const run = await links('--no-telegram', '--website', url);
    expect(run).toMatchObject({ status: 1, printed: '' });
    expect(run.message).toContain(`website "${url}"`);
    expect((await token())?.links).toEqual({ website: 'https://old.site/', telegram: 'https://t.me/old' });
    expect(await audit()).toEqual([]);
  },
);

test('links without a link to change is wrong usage', async () => {
  expect((await links('--note', 'x')).status).toBe(2);
});

test.each(['hide', 'show', 'links --no-twitter'])(
  '%s of an unknown mint ends with 1 and audits nothing',
  async (command) => {
    const [name, ...options] = command.split(' ');
    const unknown = address();
    expect(await ops(env, ['tokens', name!, unknown, ...options])).toMatchObject({
      status: 1,
      message: `there is no token with mint ${unknown}`,
    });
    expect(await auditLog.ofSubject(db, `token/${unknown}`)).toEqual([]);
  },
);

test.each(['hide', 'show', 'links'])('tokens %s --help shows examples, without a database', async (command) => {
  const run = await ops({}, `tokens ${command} --help`);
  expect([run.status, run.printed]).toEqual([0, expect.stringContaining('npm run ops -- tokens')]);
});
