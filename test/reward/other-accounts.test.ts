import { expect, it } from 'vitest';
import { MOST_OTHER_ACCOUNTS, textOfAccounts, unionOfAccounts } from '../../domain/reward/other-accounts.ts';

const many = Array.from({ length: MOST_OTHER_ACCOUNTS }, (_, index) => `account${String(index).padStart(2, '0')}`);

it('the accounts of a row are those of all observations, once and in order', () => {
  const union = unionOfAccounts([new Map([['owner', ['b']]]), new Map(), new Map([['owner', ['a', 'b']]])]);
  expect([...union].map(([owner, accounts]) => [owner, textOfAccounts(accounts)])).toEqual([['owner', 'a,b']]);
});

it('accounts are named up to a limit; beyond it a row says that there are more', () => {
  const first = new Map([['owner', many]]);
  expect(unionOfAccounts([first, first]).get('owner')).toEqual(many);
  expect(unionOfAccounts([first, new Map([['owner', ['one more']]])]).get('owner')).toBe('+');
  expect(unionOfAccounts([new Map([['owner', '+' as const]]), new Map([['owner', ['a']]])]).get('owner')).toBe('+');
});
