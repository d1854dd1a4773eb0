import type { Instruction } from '../solana/message.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  isTokenProgram,
  MEMO_PROGRAM,
  RAYDIUM_CLMM_PROGRAM,
  RAYDIUM_LOCK_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../solana/programs.ts';
import { Difference, NotProvable } from './check.ts';
import type { Landed } from './landed.ts';

/** Instructions by which an owner gives another key power over its tokens (spl-token, instruction.rs). */
const GIVES_AWAY: Readonly<Record<number, string>> = {
  4: 'Approve',
  6: 'SetAuthority',
  9: 'CloseAccount',
  13: 'ApproveChecked',
};

/** @throws Difference where a wallet gave another key power over its accounts */
export function mustKeepAccounts({ instructions, signature }: Landed, wallet: string, name: string): void {
  for (const { program, data, accounts } of instructions) {
    const given = GIVES_AWAY[data[0] ?? -1];
    if (
      !isTokenProgram(program) ||
      given === undefined ||
      !accounts.some(({ address, isSigner }) => isSigner && address === wallet)
    )
      continue;
    const expected = { value: `${name} alone moves its tokens`, from: 'docs/verify.md' };
    throw new Difference(`${name} gives an account away`, expected, { value: given, from: signature });
  }
}

/** Token instruction (spl-token, instruction.rs). */
const CLOSE_ACCOUNT = 9;

/**
 * @param own the wallet's associated accounts of a token
 * @throws Difference where the wallet gave another key power over one of them
 */
export function mustKeepOwn(landed: Landed, wallet: string, own: readonly string[], name: string): void {
  const instructions = landed.instructions.filter(
    // Only an empty account can be closed.
    ({ accounts: [first], data }) => own.includes(first?.address ?? '') && data[0] !== CLOSE_ACCOUNT,
  );
  mustKeepAccounts({ ...landed, instructions }, wallet, name);
}

/** Programs that use a signature for token instructions which their own instruction implies, or for none. */
export const PLAIN_PROGRAMS: readonly string[] = [
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
];

const TRUSTED: readonly string[] = [...PLAIN_PROGRAMS, RAYDIUM_CLMM_PROGRAM, RAYDIUM_LOCK_PROGRAM];

/** Several token instructions in one (p-token). */
const BATCH = 255;

/**
 * A program that gets a wallet's signature can give its accounts away, and the signed bytes do not show that. The tokens
 * then leave in a transaction that does not name the wallet.
 *
 * @param trusted default: the programs of a round
 * @throws NotProvable where another program got it, or a batch of token instructions
 */
export function mustSignForTrusted(transactions: readonly Landed[], wallet: string, trusted = TRUSTED): void {
  for (const { instructions, signature } of transactions) {
    const other = instructions.find(
      ({ program, accounts, data }) =>
        (!trusted.includes(program) || isBatch({ program, data })) &&
        accounts.some(({ address, isSigner }) => isSigner && address === wallet),
    );
    if (!other) continue;
    const what = isTokenProgram(other.program) ? 'a batch of token instructions' : `the program ${other.program}`;
    throw new NotProvable(`${signature} has ${wallet} sign for ${what}, which could have given its accounts away`);
  }
}

export function isBatch({ program, data }: Pick<Instruction, 'program' | 'data'>): boolean {
  return isTokenProgram(program) && data[0] === BATCH;
}
