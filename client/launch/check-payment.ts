import type { Answer, Request } from '../http/api.ts';
import { readUint } from '../solana/bytes.ts';
import { readIssued } from '../solana/issued.ts';
import type { Instruction, Message } from '../solana/message.ts';
import { checkNetworkFee } from '../solana/network-fee.ts';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';

/** What a creator asks for: the body of `POST /launches/prepare`. */
export type LaunchWish = Request<'POST /launches/prepare'>['body'];

/** What prepare answers: the price, and the payment to sign. */
export type LaunchQuote = Answer<'POST /launches/prepare'>;

/** What a creator is ready to pay. */
export interface LaunchLimits {
  /** Lamports of the whole payment: launch, dev buy and airdrop. */
  readonly maxLamports: bigint;
  /** Lamports of network fee on top; default 200,000. */
  readonly maxNetworkFeeLamports?: bigint;
}

/** `SystemInstruction::Transfer`: its number, four bytes, and the lamports, eight (solana-program, system_instruction.rs). */
const TRANSFER = { tag: 2n, bytes: 12 };

const PROGRAMS: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM];

/**
 * Checks a quote and its payment before the creator signs: that it is what was wished for, costs what was allowed, is paid by the
 * creator, moves exactly the quoted lamports once, and does nothing else. Answers the message to sign; throws a
 * RefusedError that says what is wrong.
 */
export function checkPayment(quote: LaunchQuote, wish: LaunchWish, limits: LaunchLimits): Message {
  checkQuote(quote, wish, limits);
  const { message } = readIssued(quote.paymentTransaction);
  checkSigners(message, [wish.creatorWallet, quote.payment.to]);
  checkPrograms(message);
  checkTransfer(message, quote, wish.creatorWallet);
  checkMemo(message, quote);
  checkAccounts(message);
  checkNetworkFee(message, limits.maxNetworkFeeLamports);
  return message;
}

function checkQuote(quote: LaunchQuote, wish: LaunchWish, { maxLamports }: LaunchLimits): void {
  const { payment, mode, transferFee, devBuy, airdrop } = quote;
  const { lamports, items } = payment;
  mustHold(Number.isSafeInteger(lamports) && lamports > 0, `${lamports} is no amount of lamports`);
  mustHold(BigInt(lamports) <= maxLamports, `it costs ${lamports} lamports, at most ${maxLamports} were allowed`);
  const sum = items.reduce((total, item) => total + item.lamports, 0);
  mustHold(sum === lamports, `the items of the price add up to ${sum} lamports, quoted were ${lamports}`);
  mustHold(mode === (wish.mode ?? 'standard'), `it is a quote for a ${mode} launch`);
  const tax = mode === 'reward' ? Number(wish.rewardTaxBps ?? 100) : undefined;
  mustHold(transferFee?.bps === tax, `its transfer tax is ${transferFee?.bps ?? 0} bps`);
  const wantsDevBuy = wish.devBuyPercent !== undefined || wish.devBuySol !== undefined;
  checkItem('devBuy', devBuy?.lamports ?? null, wantsDevBuy, quote);
  checkItem('airdrop', airdrop?.feeLamports ?? null, wish.airdropPercent !== undefined, quote);
}

/** What was not wished for must not be charged, and what was must be what the price says. */
function checkItem(
  name: 'devBuy' | 'airdrop',
  agreed: number | null,
  isWished: boolean,
  { payment }: LaunchQuote,
): void {
  mustHold(
    (agreed !== null) === isWished,
    isWished ? `it is without ${name}` : `it is with ${name}, which was not asked for`,
  );
  const charged = payment.items.filter(({ item }) => item === name).reduce((sum, { lamports }) => sum + lamports, 0);
  mustHold(charged === (agreed ?? 0), `it charges ${charged} lamports for ${name}, agreed were ${agreed ?? 0}`);
}

/** The creator pays and signs first; the launch's wallet, which the platform signs for, is the only other one. */
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

function readTransfer({ data, accounts }: Instruction) {
  const isTransfer = data.length === TRANSFER.bytes && accounts.length === 2 && readUint(data, 0, 4) === TRANSFER.tag;
  mustHold(isTransfer, 'it does something else with SOL than one transfer');
  return { lamports: readUint(data, 4, 8), from: accounts[0]?.address, to: accounts[1]?.address };
}

/** The memo binds the payment to the quote, and to the signature that the platform gives last. */
function checkMemo({ instructions }: Message, { quoteId, payment }: LaunchQuote): void {
  const [memo, ...more] = instructions.filter(({ program }) => program === MEMO_PROGRAM);
  mustHold(memo !== undefined && more.length === 0, 'it has not exactly one memo');
  const text = new TextDecoder().decode(memo.data);
  mustHold(text === `launch/${quoteId}/1`, `its memo is "${text}"`);
  const signers = memo.accounts.map(({ address }) => address).join();
  mustHold(signers === payment.to, 'its memo is not signed by the launch wallet alone');
}

/** Beside the two wallets there are only the programs. */
function checkAccounts({ accounts }: Message): void {
  const extra = accounts.find(({ isSigner, address }) => !isSigner && !PROGRAMS.includes(address));
  mustHold(extra === undefined, `it names ${extra?.address}, which has no part in a payment`);
}
