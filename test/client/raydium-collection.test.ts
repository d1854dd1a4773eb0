import type { TransactionInstruction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { collectLockedInstruction } from '../../chain/exchange/raydium/instructions/collect.ts';
import type { CollectionContext } from '../../client/claim/claim-context.ts';
import { checkRaydiumCollection } from '../../client/claim/raydium-collection.ts';
import type { Instruction } from '../../client/solana/message.ts';
import { RefusedError } from '../../client/solana/refusal.ts';
import { key, POOL } from '../support/exchange/raydium/golden.ts';

const [wallet, stranger] = [key(8), key(99)];
const [base, quote] = [key(10), key(11)];

const REQUEST = {
  pool: POOL,
  positionMint: key(9),
  feeKeyMint: key(12),
  lockedNftAccount: key(13),
  tickLower: -443_520,
  tickUpper: 191_160,
  holder: wallet,
  recipient0: base,
  recipient1: quote,
};

/** Of what a claim is checked against, what this check reads. */
const GROUND = {
  wallet: wallet.toBase58(),
  accounts: { base: base.toBase58(), quote: quote.toBase58() },
  fees: { pool: POOL.address.toBase58() },
  quote: { amounts: { base: { mint: POOL.token0.mint.toBase58() }, quote: { mint: POOL.token1.mint.toBase58() } } },
} as unknown as CollectionContext;

const collect = (changed: Partial<typeof REQUEST> = {}) => collectLockedInstruction({ ...REQUEST, ...changed });

/** As the client reads it out of a message. */
function asRead({ programId, data, keys }: TransactionInstruction): Instruction {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    isSigner,
    isWritable,
  }));
  return { program: programId.toBase58(), data: new Uint8Array(data), accounts };
}

const check = (...instructions: TransactionInstruction[]) => checkRaydiumCollection(instructions.map(asRead), GROUND);

describe('a collection through Raydium’s lock program', () => {
  it('that pays the wallet’s own accounts is accepted, and needs no further signature', () => {
    expect(check(collect())).toEqual([]);
  });

  it.each([
    ['nothing is collected', [], /collects 0 times/],
    ['it collects twice', [collect(), collect()], /collects 2 times/],
    ['another pool is named', [collect({ pool: { ...POOL, address: stranger } })], /from the pool/],
    ['the fees of somebody else are meant', [collect({ holder: stranger })], /the fees of/],
    ['the base tokens go to a stranger', [collect({ recipient0: stranger })], /which is not the wallet’s/],
    ['the quote tokens go to a stranger', [collect({ recipient1: stranger })], /which is not the wallet’s/],
    ['the accounts are exchanged', [collect({ recipient0: quote, recipient1: base })], /which is not the wallet’s/],
    ['there are accounts for farming rewards', [withAccounts(collect(), 3)], /names 23 accounts to collect with/],
    ['an account is missing', [withAccounts(collect(), -1)], /names 19 accounts/],
    ['another program stands for the token program', [withProgram(collect())], /in the places of the token programs/],
    [
      'a token is paid that was not announced',
      [collect({ pool: { ...POOL, token1: { ...POOL.token1, mint: stranger } } })],
      /not the wallet’s/,
    ],
    ['something else is asked of the program', [withData(collect(), '00')], /something else than to collect/],
    ['another program holds the position', [through(collect())], /collects through/],
  ])('is refused where %s', (_name, instructions, reason) => {
    expect(() => check(...instructions)).toThrow(RefusedError);
    expect(() => check(...instructions)).toThrow(reason);
  });
});

/** With so many accounts of a stranger's behind, or without the last ones. */
function withAccounts(instruction: TransactionInstruction, more: number): TransactionInstruction {
  const account = { pubkey: stranger, isSigner: false, isWritable: true };
  const added = Array.from({ length: Math.max(0, more) }, () => account);
  instruction.keys = more < 0 ? instruction.keys.slice(0, more) : [...instruction.keys, ...added];
  return instruction;
}

function withProgram(instruction: TransactionInstruction): TransactionInstruction {
  const place = 15;
  instruction.keys[place] = { pubkey: stranger, isSigner: false, isWritable: false };
  return instruction;
}

function withData(instruction: TransactionInstruction, hex: string): TransactionInstruction {
  instruction.data = Buffer.from(hex, 'hex');
  return instruction;
}

function through(instruction: TransactionInstruction): TransactionInstruction {
  const place = 4;
  instruction.keys[place] = { pubkey: stranger, isSigner: false, isWritable: false };
  return instruction;
}
