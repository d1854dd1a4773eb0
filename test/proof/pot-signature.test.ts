import { expect, it } from 'vitest';
import { RAYDIUM_CLMM_PROGRAM, TOKEN_PROGRAM } from '../../client/solana/programs.ts';
import type { Landed } from '../../client/verify/landed.ts';
import { checkPayouts } from '../../client/verify/round/payout-checks.ts';
import type { RoundDocument } from '../../client/verify/round/round-document.ts';
import { changeOf, landed, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';

const [pot, thief, quoteMint, program] = [someAddress(), someAddress(), someAddress(), someAddress()];
const seal = { signature: 'seal', slot: 1, payer: someAddress(), root: '', about: pot };

/** A transaction in which the pot signs for a program. Its account is another's afterwards, where that gave it away. */
const signedFor = (of: string, data: number[] = [], owner = pot): Landed => {
  const own = changeOf(pot, quoteMint, 1_000n, 1_000n);
  return landed({
    signature: 'given away',
    slot: 2,
    signers: [seal.payer, pot],
    instructions: [
      { program: of, accounts: [{ address: pot, isSigner: true, isWritable: false }], data: Uint8Array.from(data) },
    ],
    tokens: [{ ...own, owner }],
  });
};

/** The payouts of a round without rows: nothing may leave the pot. */
function check(place: 'before' | 'after', transaction: Landed) {
  const document = { pot, quoteMint, rows: [], rentPayout: null } as unknown as RoundDocument;
  const history = {
    previousSeal: null,
    before: [],
    after: [],
    isClosed: false,
    payers: new Set([]),
    [place]: [transaction],
  };
  return checkPayouts(scriptedChain({ transactions: [], accounts: {} }), document, seal, history);
}

it.each(['before', 'after'] as const)(
  'a program of one’s own that gets the pot’s signature %s the seal is named: it could give the account away',
  async (place) => {
    await expect(check(place, signedFor(program, [], thief))).rejects.toMatchObject({
      name: 'NotProvable',
      message: expect.stringContaining(`${pot} sign for the program ${program}`) as string,
    });
  },
);

it('a batch of token instructions, which could give the account away, is named', async () => {
  await expect(check('after', signedFor(TOKEN_PROGRAM, [255]))).rejects.toMatchObject({
    name: 'NotProvable',
    message: expect.stringContaining('a batch of token instructions') as string,
  });
});

it('a swap of the exchange that the pot signs is fine', async () => {
  expect(await check('before', signedFor(RAYDIUM_CLMM_PROGRAM))).toMatchObject({ value: null });
});
