import { describe, expect, it } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import { address } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { ops } from '../support/ops/ops-run.ts';

const { db, url } = useDatabase();
const run = (line: string) => ops({ DATABASE_URL: url() }, line);

describe('ops wallets', () => {
  it('leaves a wallet out of airdrops, shows it, and lets them go to it again; each is audited', async () => {
    const wallet = address();
    expect(await run(`wallets label ${wallet} --as exchange --note known`)).toMatchObject({ status: 0 });
    expect((await run('wallets')).printed).toContain(wallet);
    const { printed } = await run('wallets list --json');
    expect(JSON.parse(printed)).toMatchObject({
      wallets: expect.arrayContaining([
        expect.objectContaining({ address: wallet, label: 'exchange', note: 'known', addedBy: 'os-user' }),
      ]) as unknown,
    });
    expect((await run(`wallets label ${wallet} --as custody`)).printed).toContain('custody');
    expect(await run(`wallets unlabel ${wallet} --note sold`)).toMatchObject({ status: 0 });
    expect((await run('wallets')).printed).not.toContain(wallet);
    const audit = await auditLog.ofSubject(db(), `wallet/${wallet}`);
    expect(audit.map(({ action }) => action).toSorted()).toEqual(['wallet.label', 'wallet.label', 'wallet.unlabel']);
  });

  it.each([
    ['what is no address', 'label nonsense --as exchange'],
    ['another label', `label ${address()} --as friend`],
    ['no label', `label ${address()}`],
  ])('refuses %s as wrong usage, and changes nothing', async (_what, line) => {
    const before = (await run('wallets --json')).printed;
    expect(await run(`wallets ${line}`)).toMatchObject({ status: 2 });
    expect((await run('wallets --json')).printed).toBe(before);
  });

  it('says so where there is nothing to take away', async () => {
    const wallet = address();
    expect(await run(`wallets unlabel ${wallet}`)).toMatchObject({ status: 1, message: `${wallet} has no label` });
  });
});
