import { afterAll, beforeAll, expect, it } from 'vitest';
import { exitCodeOf } from '../../client/verify/check.ts';
import type { OtherAccounts } from '../../domain/reward/other-accounts.ts';
import type { RoundPlan } from '../../domain/reward/round-document.ts';
import { accountOf } from '../support/exchange/test-chain.ts';
import { type ProofFixture, type RewardCoin, startProofFixture, type Theft } from '../support/proof/paid-round.ts';

let ground: ProofFixture;
beforeAll(async () => {
  ground = await startProofFixture();
});
afterAll(() => ground.close());

type Change = (plan: RoundPlan) => RoundPlan;

/** The row of the holder with two accounts names others. */
const naming =
  (accounts: () => OtherAccounts | undefined): Change =>
  (plan) => {
    const [owner = ''] = plan.otherAccounts.keys();
    const named = accounts();
    return { ...plan, otherAccounts: new Map(named === undefined ? [] : [[owner, named]]) };
  };

/** That row has another amount at an observation. */
const having =
  (raw: bigint, at: number): Change =>
  (plan) => {
    const [owner = ''] = plan.otherAccounts.keys();
    const observations = plan.observations.map((one, n) => (n === at ? new Map([...one, [owner, raw]]) : one));
    return { ...plan, observations };
  };

async function ask(theft: Theft) {
  const checks = await ground.round(theft);
  const named = checks.filter(({ status }) => status === 'different').map(({ name }) => name);
  return { named, exitCode: exitCodeOf(checks), balances: checks.find(({ name }) => name === 'balances') };
}

const second = () => ground.second.toBase58();
const others = () => accountOf(ground.base, ground.bob).toBase58();

it('the tokens of an owner with two accounts, one of which is emptied meanwhile, are proven to the unit', async () => {
  const { balances } = await ask({});
  expect(balances).toMatchObject({ status: 'proven', how: '3 of 3 rows that take part (all), to the unit' });
  const asked = ({ alice }: RewardCoin) => ({ owner: alice.toBase58() });
  expect((await ask({ asked })).balances).toMatchObject({ status: 'proven' });
  expect((await ask({ asked, plan: having(101n, 2) })).balances).toMatchObject({
    status: 'unprovable',
    how: expect.stringContaining('held 100 in its 2 accounts at observation 2, and the row has 101') as unknown,
  });
});

it('a row with less than its owner held in two accounts is a difference', async () => {
  const { balances, exitCode } = await ask({ plan: having(99n, 0) });
  expect(exitCode).toBe(1);
  expect(balances).toMatchObject({
    status: 'different',
    how: 'a row has less than its owner held at observation 0',
    expected: { value: '100', from: 'the history of its 2 accounts' },
  });
});

it('a row with the account of another owner is a difference, also where its amounts are true', async () => {
  const { named, balances, exitCode } = await ask({ plan: naming(() => [second(), others()].sort()) });
  expect([named, exitCode]).toEqual([['balances'], 1]);
  expect(balances).toMatchObject({
    how: 'a row names an account that is not its owner’s',
    found: { value: expect.stringContaining(`of ${ground.bob.toBase58()} for`) as unknown },
  });
});

it('the tokens of another owner’s account do not explain a row that has them', async () => {
  const both: Change = naming(() => [second(), others()].sort());
  const { balances } = await ask({ plan: (plan) => [0, 1, 2].reduce((one, at) => having(400n, at)(one), both(plan)) });
  expect(balances).toMatchObject({ status: 'different', how: 'a row names an account that is not its owner’s' });
});

it.each([
  ['leaves out', () => undefined, 'is there another account?'],
  ['has too many to be named', () => '+' as const, 'its other accounts are too many to be named'],
])('a row that %s an account is named as open', async (_what, accounts, why) => {
  const { named, balances } = await ask({ plan: naming(accounts) });
  expect([named, balances?.status]).toEqual([[], 'unprovable']);
  expect(balances?.how).toContain('held 60 in');
  expect(balances?.how).toContain(`at observation 0, and the row has 100; ${why}`);
});

it.each([
  ['twice', () => `${second()},${second()}`],
  ['that is none', () => 'second'],
  ['and more fields', () => `${second()}\t${second()}`],
  ['of more than sixteen', () => Array(17).fill(second()).join()],
])('a row with an account %s is not read', async (_what, accounts) => {
  const { named, exitCode } = await ask({ shown: (text) => text.replace(second(), accounts()) });
  expect([named, exitCode]).toEqual([['document'], 1]);
});
