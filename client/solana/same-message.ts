import { sameBytes } from './bytes.ts';
import type { Account, Instruction, Message } from './message.ts';
import { LIGHTHOUSE_PROGRAM } from './programs.ts';
import { mustHold } from './refusal.ts';

/** The wallet signed exactly the bytes that it was given. */
export function mustBeSame(issued: Message, signed: Message): void {
  mustHold(sameBytes(issued.bytes, signed.bytes), 'the wallet signed another message than it was given');
}

/** The same, or with read-only assertions of Lighthouse behind it, which some wallets append and the platform accepts on payments. */
export function mustBeSameButAssertions(issued: Message, signed: Message): void {
  if (sameBytes(issued.bytes, signed.bytes)) return;
  const isSameFrame = issued.blockhash === signed.blockhash && signersOf(issued) === signersOf(signed);
  mustHold(isSameFrame, 'the wallet changed the blockhash or the signers');
  const isPrefix = issued.instructions.every((instruction, index) => isSame(instruction, signed.instructions[index]));
  mustHold(isPrefix, 'the wallet changed an instruction');
  for (const { program, accounts } of signed.instructions.slice(issued.instructions.length)) {
    mustHold(program === LIGHTHOUSE_PROGRAM, `the wallet added an instruction of ${program}`);
    const written = accounts.find((account) => account.isWritable && !isWritten(issued, account));
    mustHold(written === undefined, `the wallet made ${written?.address} writable`);
  }
}

function isWritten({ accounts }: Message, { address }: Account): boolean {
  return accounts.some((account) => account.address === address && account.isWritable);
}

function isSame(a: Instruction, b: Instruction | undefined): boolean {
  return (
    b !== undefined && a.program === b.program && sameBytes(a.data, b.data) && textOf(a.accounts) === textOf(b.accounts)
  );
}

function signersOf({ accounts }: Message): string {
  return textOf(accounts.filter(({ isSigner }) => isSigner));
}

function textOf(accounts: readonly Account[]): string {
  return accounts.map(({ address, isSigner, isWritable }) => `${address} ${isSigner} ${isWritable}`).join();
}
