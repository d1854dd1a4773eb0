import { readIssued } from '../solana/issued.ts';
import { lamportTransferIn } from '../solana/lamport-transfer.ts';
import { memoText } from '../solana/memo.ts';
import type { Instruction, Message } from '../solana/message.ts';
import { checkNetworkFee } from '../solana/network-fee.ts';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import { checkQuote } from './check-quote.ts';
import type { LaunchLimits, LaunchQuote, LaunchWish } from './terms.ts';

const PROGRAMS: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM];

/**
 * Checks before the creator signs: the payment matches wish and limits, the creator pays, and it moves exactly the
 * quoted lamports once and nothing else. Returns the message to sign. Throws a RefusedError with the reason.
 */
export function checkPayment(quote: LaunchQuote, wish: LaunchWish, limits: LaunchLimits): Message {
  checkQuote(quote, wish, limits);
  const { message } = readIssued(quote.paymentTransaction);
  checkSigners(message, [wish.creatorWallet, quote.payment.to]);
  checkPrograms(message);
  checkTransfer(message, quote, wish.creatorWallet);
  checkMemos(message, quote, wish);
  checkAccounts(message);
  checkNetworkFee(message, limits.maxNetworkFeeLamports);
  return message;
}

/** The creator first; else only the launch wallet, for which the platform signs. */
function checkSigners({ accounts }: Message, [creator, launchWallet]: readonly [string, string]): void {
  mustHold(accounts[0]?.address === creator, `it is to be paid by ${accounts[0]?.address}`);
  const others = accounts.slice(1).filter(({ isSigner }) => isSigner);
  const stranger = others.find(({ address }) => address !== launchWallet);
  mustHold(stranger === undefined, `it asks for the signature of ${stranger?.address}`);
  mustHold(others.length === 1, 'it does not ask for the launch wallet’s signature, so it could land alone');
}

function checkPrograms({ instructions }: Message): void {
  const foreign = instructions.find(({ program }) => !PROGRAMS.includes(program));
  mustHold(foreign === undefined, `it calls ${foreign?.program}`);
}

function checkTransfer({ instructions }: Message, { payment }: LaunchQuote, creator: string): void {
  const [transfer, ...more] = instructions.filter(({ program }) => program === SYSTEM_PROGRAM);
  mustHold(transfer !== undefined && more.length === 0, `it has not exactly one transfer of SOL`);
  const { lamports, from, to } = readTransfer(transfer);
  mustHold(from === creator, `the transfer is from ${from}`);
  mustHold(to === payment.to, `the transfer is to ${to}, quoted was ${payment.to}`);
  mustHold(lamports === BigInt(payment.lamports), `it moves ${lamports} lamports, quoted were ${payment.lamports}`);
}

function readTransfer(instruction: Instruction) {
  const transfer = instruction.accounts.length === 2 ? lamportTransferIn(instruction) : null;
  mustHold(transfer !== null, 'it does something else with SOL than one transfer');
  return transfer;
}

/**
 * Binds the payment to the quote, to the signature that the platform gives last, and to another recipient of the fees
 * where one was asked for.
 */
function checkMemos({ instructions }: Message, { quoteId, payment }: LaunchQuote, wish: LaunchWish): void {
  const [memo, recipient, ...more] = instructions.filter(({ program }) => program === MEMO_PROGRAM);
  const isOther = wish.feeRecipient !== undefined && wish.feeRecipient !== wish.creatorWallet;
  const isAsMany = more.length === 0 && (isOther || recipient === undefined);
  mustHold(memo !== undefined && isAsMany, 'it has not exactly one memo');
  const text = memoText(memo);
  mustHold(text === `launch/${quoteId}/1`, `its memo is "${text}"`);
  const signers = memo.accounts.map(({ address }) => address).join();
  mustHold(signers === payment.to, 'its memo is not signed by the launch wallet alone');
  if (!isOther) return;
  const named = recipient ? memoText(recipient) : 'none';
  mustHold(!recipient?.accounts.length, 'its memo on the fees names accounts');
  mustHold(named === `fees/${wish.feeRecipient}`, `its memo on the fees is "${named}", asked was ${wish.feeRecipient}`);
}

/** Allows only the two wallets and the programs. */
function checkAccounts({ accounts }: Message): void {
  const extra = accounts.find(({ isSigner, address }) => !isSigner && !PROGRAMS.includes(address));
  mustHold(extra === undefined, `it names ${extra?.address}, which has no part in a payment`);
}
