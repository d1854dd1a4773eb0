import { expect, it } from 'vitest';
import { WRAPPED_SOL } from '../../client/solana/programs.ts';
import { checkMovements } from '../../client/verify/round/movement-checks.ts';
import { readRoundDocument } from '../../client/verify/round/round-document.ts';
import { checkMarkets } from '../../client/verify/statement/purchase-markets.ts';
import { honestRound } from '../support/proof/round-text.ts';
import { changeOf, landed, poolAccount, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';

const document = await readRoundDocument([honestRound().lines.join('\n')], 'the file');
const { pot, mint, pool } = document;
const treasury = someAddress();
const accounts = { [pool]: poolAccount([mint, WRAPPED_SOL]) };

/** Trades five coins: a friend may take some of the SOL by an account that is opened and closed within. */
const tradeBy = (owner: string, [own, ofPool]: readonly [bigint, bigint], coins: bigint) =>
  landed({
    signature: 'trade',
    slot: 2,
    signers: [someAddress(), owner],
    tokens: [
      changeOf(owner, mint, 9n, 9n + coins),
      changeOf(pool, mint, 9n, 9n - coins),
      changeOf(owner, WRAPPED_SOL, 100n, 100n + own),
      changeOf(pool, WRAPPED_SOL, 100n, 100n + ofPool),
    ],
  });

function sell(sol: readonly [bigint, bigint]) {
  const sale = tradeBy(pot, sol, -5n);
  const stated = { kind: 'sale', signature: 'trade', slot: 2, baseRaw: -5n, quoteRaw: sol[0] };
  const history = { previousSeal: null, before: [sale], after: [], isClosed: false, payers: new Set<string>() };
  const round = { ...document, quoteMint: WRAPPED_SOL, movements: [stated] };
  return checkMovements(scriptedChain({ transactions: [sale], accounts }), round, history, 9);
}

function buy(sol: readonly [bigint, bigint]) {
  const purchase = tradeBy(treasury, sol, 5n);
  const row = {
    number: 1,
    id: 'one',
    kind: 'purchase',
    mint,
    signature: 'trade',
    slot: 2,
    base: '5',
    quote: String(sol[0]),
  } as never;
  const buyer = { treasuries: [treasury], quoteMint: WRAPPED_SOL };
  return checkMarkets(scriptedChain({ transactions: [purchase], accounts }), [{ row, landed: purchase }], buyer);
}

it('a sale and a purchase for wrapped SOL are proven', async () => {
  await expect(sell([50n, -50n])).resolves.toMatchObject({ value: null });
  await expect(buy([-50n, 50n])).resolves.toMatchObject({ value: null });
});

it('wrapped SOL that leaves a sale or a purchase by an account that no balance shows is a difference', async () => {
  const message = 'wrapped SOL left by an account that no balance shows';
  await expect(sell([48n, -50n])).rejects.toMatchObject({ name: 'Difference', message });
  await expect(buy([-50n, 48n])).rejects.toMatchObject({ name: 'Difference', message });
});
