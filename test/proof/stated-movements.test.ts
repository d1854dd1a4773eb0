import { expect, it } from 'vitest';
import type { Landed } from '../../client/verify/landed.ts';
import { checkMovements } from '../../client/verify/round/movement-checks.ts';
import { readRoundDocument } from '../../client/verify/round/round-document.ts';
import { honestRound } from '../support/proof/round-text.ts';
import { changeOf, landed, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';

const document = await readRoundDocument([honestRound().lines.join('\n')], 'the file');
const { pot, quoteMint } = document;
const movementOf = (n: number) => {
  return { n, kind: 'harvest', signature: `harvest ${n}`, slot: n, baseRaw: 0n, quoteRaw: 1n } as const;
};
const landedOf = (n: number): Landed =>
  landed({ signature: `harvest ${n}`, slot: n, tokens: [changeOf(pot, quoteMint, BigInt(n - 1), BigInt(n))] });

function check(movements: readonly number[], before: readonly number[], most: number) {
  let calls = 0;
  const chain = scriptedChain({ transactions: [1, 2, 3].map(landedOf), accounts: {} });
  const counted = { ...chain, transaction: (signature: string) => (calls++, chain.transaction(signature)) };
  const history = { previousSeal: null, after: [], isClosed: false, payers: new Set<string>() };
  const round = { ...document, movements: movements.map(movementOf) };
  const checked = checkMovements(counted, round, { ...history, before: before.map(landedOf) }, most);
  return { checked, calls: () => calls };
}

it('a movement that the history of the pot has is not read again', async () => {
  const { checked, calls } = check([1, 2, 3], [1, 2], 3);
  expect([(await checked).how.slice(0, 1), calls()]).toEqual(['3', 1]);
});

it('a movement that is stated twice is a difference: its amounts would count twice', async () => {
  const { checked, calls } = check([1, 1], [], 3);
  await expect(checked).rejects.toMatchObject({ name: 'Difference', message: 'a movement is stated twice' });
  expect(calls()).toBe(0);
});

it('more movements than --most allows to read are open, without a call', async () => {
  const { checked, calls } = check([1, 2, 3], [], 2);
  await expect(checked).rejects.toMatchObject({ name: 'NotProvable' });
  expect(calls()).toBe(0);
});

const saleTo = (buyer: string): Landed =>
  landed({
    signature: 'sale',
    slot: 2,
    signers: [someAddress(), pot],
    tokens: [
      changeOf(pot, document.mint, 9n, 4n),
      changeOf(buyer, document.mint, 0n, 5n),
      changeOf(pot, quoteMint, 0n, 3n),
      changeOf(buyer, quoteMint, 3n, 0n),
    ],
  });
const unstated = (buyer: string, number: number) => {
  const history = {
    previousSeal: null,
    before: [saleTo(buyer)],
    after: [],
    isClosed: false,
    payers: new Set<string>(),
  };
  return checkMovements(
    scriptedChain({ transactions: [], accounts: {} }),
    { ...document, number, movements: [] },
    history,
    9,
  );
};

it('a sale in the pool that a later document does not have is open: an unsealed round may have sold', async () => {
  await expect(unstated(document.pool, 2)).rejects.toMatchObject({ name: 'NotProvable' });
});

it.each([
  ['in the first round', document.pool, 1],
  ['to a friend', someAddress(), 2],
])('such a sale %s is a difference', async (_what, buyer, number) => {
  await expect(unstated(buyer, number)).rejects.toMatchObject({
    name: 'Difference',
    message: 'coins left the pot outside of the document',
  });
});
