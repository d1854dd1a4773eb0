import { readUint, sameBytes } from './bytes.ts';
import type { Account, Instruction, Message } from './message.ts';
import { networkFeeOf, USUAL_NETWORK_FEE_LAMPORTS } from './network-fee.ts';
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from './programs.ts';
import { mustHold } from './refusal.ts';

/** 0 writes an account, 1 closes it. */
const FIRST_ASSERTION = 2;

const MOST_MEMO_BYTES = 128;

/** The platform finds its transactions by these. */
const PLATFORM_MEMO = /^[a-z0-9-]+\//;

/** `SystemInstruction::AdvanceNonceAccount`. */
const ADVANCE_NONCE = 4n;

/**
 * Requires the issued message, or one that differs only by what can cost only the signer: read-only Lighthouse
 * assertions, a memo that names at most the signer, a higher compute limit or price. The issued instructions stay in
 * order, whatever stands between. The platform has the same rule.
 */
export function mustBeAsIssued(issued: Message, signed: Message, mostFeeLamports = USUAL_NETWORK_FEE_LAMPORTS): void {
  if (sameBytes(issued.bytes, signed.bytes)) return;
  const isSameFrame = issued.blockhash === signed.blockhash && signersOf(issued) === signersOf(signed);
  mustHold(isSameFrame, 'the wallet changed the blockhash or the signers');
  const own = signed.instructions.filter((instruction) => !isAddition(instruction, issued.accounts));
  mustBeInOrder(issued.instructions, own);
  const isFirst = !isNonceAdvance(issued.instructions[0]) || signed.instructions[0] === own[0];
  mustHold(isFirst, 'the wallet put an instruction in front of the advance of the nonce, which must come first');
  mustMakeNothingWritable(issued, signed);
  mustUseAll(signed);
  const [fee, issuedFee] = [networkFeeOf(signed), networkFeeOf(issued)];
  const most = issuedFee > mostFeeLamports ? issuedFee : mostFeeLamports;
  mustHold(fee <= most, `the wallet raised the network fee to ${fee} lamports, at most ${most} were allowed`);
}

/** A wallet that compiles the message again names only accounts that instructions use. */
function mustUseAll({ accounts, instructions }: Message): void {
  const used = new Set(
    instructions.flatMap(({ program, accounts: named }) => [program, ...named.map(({ address }) => address)]),
  );
  const unused = accounts.slice(1).find(({ address }) => !used.has(address));
  mustHold(unused === undefined, `the wallet added ${unused?.address}, which no instruction uses`);
}

function mustMakeNothingWritable(issued: Message, signed: Message): void {
  const writable = issued.accounts.filter(({ isWritable }) => isWritable).map(({ address }) => address);
  const added = signed.accounts.find(({ address, isWritable }) => isWritable && !writable.includes(address));
  mustHold(added === undefined, `the wallet made ${added?.address} writable`);
}

function mustBeInOrder(wanted: readonly Instruction[], actual: readonly Instruction[]): void {
  const at = actual.findIndex((instruction, index) => !isAsIssued(wanted[index], instruction));
  mustHold(actual.length >= wanted.length, 'the wallet left out or changed an instruction');
  if (at < 0) return;
  mustHold(actual.length > wanted.length, 'the wallet changed an instruction');
  mustHold(false, `the wallet added an instruction of ${actual[at]?.program}`);
}

/** Throws if a Lighthouse instruction does more than assert. */
function isAddition({ program, accounts, data }: Instruction, [payer, ...others]: readonly Account[]): boolean {
  if (program === MEMO_PROGRAM) return accounts.every(({ address }) => address === payer?.address) && isOwnMemo(data);
  if (program !== LIGHTHOUSE_PROGRAM) return false;
  mustHold((data[0] ?? 0) >= FIRST_ASSERTION, `the wallet added an instruction of ${program} that writes`);
  const lent = accounts.find(({ address }) => others.some((other) => other.isSigner && other.address === address));
  mustHold(lent === undefined, `the wallet added an instruction of ${program} that names ${lent?.address}`);
  return true;
}

function isOwnMemo(data: Uint8Array): boolean {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(data);
  const isText = sameBytes(new TextEncoder().encode(text), data);
  return data.length <= MOST_MEMO_BYTES && isText && !PLATFORM_MEMO.test(text);
}

function isAsIssued(issued: Instruction | undefined, signed: Instruction): boolean {
  if (issued?.program !== signed.program) return false;
  if (issued.program === COMPUTE_BUDGET_PROGRAM) return isSameOrHigher(issued.data, signed);
  return sameBytes(issued.data, signed.data) && textOf(issued.accounts) === textOf(signed.accounts);
}

/** Limit (u32) or price (u64). */
function isSameOrHigher(issued: Uint8Array, { data, accounts }: Instruction): boolean {
  const isSameKind = issued[0] === data[0] && issued.length === data.length && accounts.length === 0;
  return isSameKind && readUint(data, 1, data.length - 1) >= readUint(issued, 1, issued.length - 1);
}

function isNonceAdvance(instruction: Instruction | undefined): boolean {
  return instruction?.program === SYSTEM_PROGRAM && readUint(instruction.data, 0, 4) === ADVANCE_NONCE;
}

/** The compiler chooses the order after the fee payer. */
function signersOf({ accounts: [payer, ...others] }: Message): string {
  const named = others.filter(({ isSigner }) => isSigner).map(({ address }) => address);
  return [payer?.address, ...named.sort()].join();
}

function textOf(accounts: readonly Account[]): string {
  return accounts.map(({ address, isSigner, isWritable }) => `${address} ${isSigner} ${isWritable}`).join();
}
