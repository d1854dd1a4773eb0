import { expect, it } from 'vitest';
import { NoAnswerError } from '../../client/http/api-error.ts';
import { keptOf } from '../../client/verify/growing-list.ts';
import { verifyWallets, type WalletsQuestion } from '../../client/verify/wallets/verify-wallets.ts';
import type { WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { exitCodeOf, NotProvable } from '../../client/verify/check.ts';
import { landed, mintAccount, type Script, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';
import { walletsUsedIn } from '../support/proof/listed-wallets.ts';
import { type ScriptedLog, scriptedLog, sealing } from '../support/proof/scripted-log.ts';
import { expectShown } from '../support/proof/shown-verdict.ts';

const [treasury, platform, rewards, lane, coin, pot, friend, receipts] = Array.from({ length: 8 }, someAddress) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const listed = walletsUsedIn(100);

const honest = listed([
  { role: 'treasury', address: treasury },
  { role: 'platform', address: platform },
  { role: 'rewards', address: rewards },
  { role: 'lane', address: lane, slot: 0 },
  { role: 'pot', address: pot, mint: coin, slot: 200 },
  { role: 'receipts', address: receipts },
]);

const paid = landed({ signature: 'paid', slot: 300, signers: [platform, pot] });
const taxed = landed({ signature: 'taxed', slot: 301, signers: [platform, rewards] });

const first = scriptedLog({ receiptKey: receipts, entries: honest, slot: 10_000 });
const second = scriptedLog({ receiptKey: receipts, entries: honest, slot: 10_350, number: 2, previous: first.root });
const sealed = (log: Pick<ScriptedLog, 'root'>, signature: string, slot: number, payer = platform) =>
  sealing(log, { signature, slot, payer, about: receipts });
const seals = [sealed(first, 'seal 1', 10_010), sealed(second, 'seal 2', 10_360)];

const script: Script = {
  transactions: [...seals, paid, taxed],
  accounts: {
    [lane]: mintAccount({ mintAuthority: platform }),
    [coin]: mintAccount({ taxed: { bps: 100, withdrawAuthority: rewards } }),
  },
};

const shownOf =
  (...logs: readonly ScriptedLog[]): WalletsQuestion['document'] =>
  (root) => {
    const log = logs.find((one) => one.root === root);
    if (!log) return Promise.reject(new NotProvable('it answered 404'));
    return Promise.resolve({ text: [log.text], source: `/documents/${root}` });
  };

const verified = (
  wallets: readonly WalletEntry[] = honest,
  changed: Partial<Script> = {},
  more: Partial<WalletsQuestion> = {},
) =>
  verifyWallets({
    wallets: () => Promise.resolve(wallets),
    source: 'the API',
    chain: { ...scriptedChain({ ...script, ...changed }), head: () => Promise.resolve(10_400) },
    document: shownOf(first, second),
    ...more,
  });

it('an honest list is proven', async () => {
  const checks = await verified();
  expect(checks.map(({ name, status }) => [name, status])).toEqual(
    ['list', 'roles', 'lanes', 'coins', 'signers', 'seal'].map((name) => [name, 'proven']),
  );
  expect(checks.find(({ name }) => name === 'signers')?.how).toContain('2 transactions of 2 wallets');
  expectShown('wallets', checks);
});

it('logs are read up to a slot from before the list: none has an entry that the list lacks', async () => {
  const calls: string[] = [];
  const chain = { ...scriptedChain(script), head: () => Promise.resolve(calls.push('head') && 10_400) };
  const wallets = () => Promise.resolve(calls.push('list') ? honest : []);
  const checks = await verified(honest, {}, { chain, wallets });
  expect([exitCodeOf(checks), calls.slice(0, 2)]).toEqual([0, ['head', 'list']]);
});

it('a list that is not shown proves nothing and is no difference', async () => {
  const checks = await verified([], {}, { wallets: () => Promise.reject(new NoAnswerError('no answer')) });
  expect([exitCodeOf(checks), checks[0]?.how]).toEqual([2, 'it is not shown: no answer']);
});

it.each<[string, Parameters<typeof verified>, string]>([
  ['a platform without a treasury (34)', [listed(honest.slice(1))], 'roles'],
  [
    'a wallet that signs after it was retired',
    [
      listed([
        ...honest,
        { role: 'platform', address: platform, event: 'retired', slot: 250 },
        { role: 'platform', address: treasury, slot: 250 },
      ]),
    ],
    'signers',
  ],
  [
    'a retirement of a wallet that was not in use',
    [listed([...honest, { role: 'treasury', address: friend, event: 'retired' }])],
    'roles',
  ],
  ['two treasuries at once', [listed([...honest, { role: 'treasury', address: friend }])], 'roles'],
  [
    'a lane of a foreign wallet',
    [honest, { accounts: { ...script.accounts, [lane]: mintAccount({ mintAuthority: friend }) } }],
    'lanes',
  ],
  ['an entry that was left out', [honest.filter(({ number }) => number !== 4)], 'list'],
  [
    'an entry that was changed since an earlier run (38)',
    [honest, {}, { kept: keptOf(honest.map((entry) => ({ ...entry, slot: entry.slot + 1 }))) }],
    'list',
  ],
])('%s is named', async (_what, question, check) => {
  const checks = await verified(...question);
  // A list that was changed is not the sealed one either.
  const different = checks.filter(({ name, status }) => status === 'different' && name !== 'seal');
  const named = different.map(({ name }) => name);
  expect(named).toEqual([check]);
});

it('a list that only grew is as an earlier run saw it', async () => {
  const checks = await verified(honest, {}, { kept: keptOf(honest.slice(0, 2)) });
  expect(checks[0]?.status).toBe('proven');
  expect(checks[0]?.how).toContain('the first 2 as');
});

const sealProblems = async (...question: Parameters<typeof verified>) => {
  const checks = await verified(...question);
  return checks.flatMap(({ name, status, how }) => (status === 'proven' ? [] : [`${name} ${status}: ${how}`]));
};

const latecomer: WalletEntry = { ...honest[0]!, number: 7, role: 'restock', address: friend, slot: 10_390 };
const strangers = sealed({ root: 'ab'.repeat(32) }, 'of a stranger', 10_380, friend);

it('a log of a stranger is none, and entries that are younger than the newest log are proven by no log yet', async () => {
  expect(await sealProblems(honest, { transactions: [...script.transactions, strangers] })).toEqual([]);
  const checks = await verified([...honest, latecomer]);
  const { name, status, how } = checks.at(-1)!;
  expect([name, status, how]).toEqual(['seal', 'proven', expect.stringContaining('; 1 are younger')]);
});

it('a list without a seal is open', async () => {
  expect(await sealProblems(honest, { transactions: [paid, taxed] })).toEqual([
    expect.stringMatching('^seal unprovable: no log is sealed yet'),
  ]);
});
