import { expect, it } from 'vitest';
import type { Instruction } from '../../client/solana/message.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../client/solana/programs.ts';
import type { Landed, TokenChange } from '../../client/verify/landed.ts';
import { readHeldTokens } from '../../client/verify/round/held-tokens.ts';
import { changeOf, landed, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';

const [owner, stranger, mint, otherMint, second] = Array.from({ length: 5 }, someAddress) as [
  string,
  string,
  string,
  string,
  string,
];

/** In the account beside the associated one. */
const inSecond = (after: bigint, of = owner, coin = mint): TokenChange => {
  return { account: second, owner: of, mint: coin, before: null, after };
};
const inFirst = (after: bigint) => changeOf(owner, mint, null, after);

const dustTo = (address: string): Instruction => {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [{ address, isSigner: false, isWritable: true }],
    data: new Uint8Array(12),
  };
};

/** Reads the tokens at observations in these slots, each by two endpoints that answer one slot apart. */
function read(changes: Readonly<Record<number, readonly TokenChange[]>>, ...slots: readonly number[]) {
  const transactions = Object.entries(changes).map(([slot, tokens]) =>
    landed({ signature: `in ${slot}`, slot: Number(slot), tokens }),
  );
  return readAt(slots, transactions);
}

function readAt(slots: readonly number[], transactions: readonly Landed[]) {
  const observations = slots.map((slot, n) => {
    return { n, slot, blockhash: 'hash', answerSlots: [slot + 1, slot], quorum: 2, readSlot: slot };
  });
  const outcome = { kind: 'leftOut', reason: 'notThroughout', rentRaw: 0n } as const;
  const row = { owner, held: [], outcome, accounts: [second] };
  return readHeldTokens(scriptedChain({ transactions, accounts: {} }), { mint, observations }, row, TOKEN_PROGRAM);
}

it('tokens that move between two accounts of an owner, between two answers, are counted once at each', async () => {
  const moved = { 5: [inFirst(10n), inSecond(40n)], 11: [inFirst(50n), inSecond(0n)] };
  expect(await read(moved, 10)).toMatchObject({ balances: [50n] });
});

it('a closed account, and one that is not open yet, hold nothing', async () => {
  const closed = { ...inSecond(0n), before: 40n, after: null };
  const changes = { 5: [inFirst(10n)], 20: [inSecond(40n)], 30: [closed] };
  expect(await read(changes, 10, 24, 34)).toMatchObject({ balances: [10n, 50n, 10n] });
});

it('an account counts while it was the owner’s, not before it was given away nor after', async () => {
  const changes = { 5: [inFirst(10n), inSecond(40n, stranger)], 20: [inSecond(40n)], 30: [inSecond(40n, stranger)] };
  expect(await read(changes, 10, 24, 34)).toMatchObject({ balances: [10n, 50n, 10n] });
});

it.each([
  ['owner', inSecond(40n, stranger), `of ${stranger} for ${mint}`],
  ['coin', inSecond(40n, owner, otherMint), `of ${owner} for ${otherMint}`],
])('an account that was of another %s throughout is a difference', async (_what, change, value) => {
  await expect(read({ 5: [inFirst(10n), change] }, 10, 20)).rejects.toMatchObject({
    name: 'Difference',
    found: { value, from: `the history of ${second}` },
  });
});

it('a transaction that names an account without a token program says nothing about what it holds', async () => {
  // Any key can send nothing to an account: the RPC then lists the transaction, without a token balance.
  const account = inFirst(0n).account;
  const dust = landed({ signature: 'dust', slot: 9, instructions: [dustTo(account)] });
  const bought = landed({ signature: 'bought', slot: 5, tokens: [inFirst(50n)] });
  expect(await readAt([10], [bought, dust])).toMatchObject({ balances: [50n] });
});

it('a history that is too long to be read back to an observation is named', async () => {
  const changes = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [index, [inSecond(1n)]]));
  expect(await read(changes, 2_000)).toMatchObject({ balances: [1n] });
  expect(await read({ ...changes, 5_000: [inSecond(2n)] }, 0)).toEqual({ account: second, slot: 1 });
});
