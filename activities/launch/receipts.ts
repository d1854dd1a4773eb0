import { VersionedTransaction } from '@solana/web3.js';
import { quoteIdIn } from '../../chain/launch/check-payment.ts';
import { type BegunTerms, hasBegun } from '../../chain/launch/has-begun.ts';
import { effectOf, launchMarks } from '../../chain/launch/marks.ts';
import { deriveLaunchAddresses } from '../../chain/keys/launch-keys.ts';
import type { ReceiptKey } from '../../chain/keys/receipt-key.ts';
import { BLOCKHASH_BLOCKS } from '../../chain/rpc/block-at.ts';
import { carriesSignature } from '../../chain/transactions/verify.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import type { LateQuote } from '../../db/launch/late-quotes.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import * as launches from '../../db/launch/launches.ts';
import * as receipts from '../../db/launch/receipts.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { AppError } from '../../domain/errors.ts';
import { type Receipt, type ReceiptEnd, receiptText } from '../../domain/launch/receipt.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchPurpose, refundPurpose } from '../../domain/purpose.ts';
import { checkIdentity, checkPayment } from './authority/check-identity.ts';
import { ProposalRefusedError } from './authority/refuse.ts';
import { isWhole, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { inState } from '../../domain/in-state.ts';

export type ReceiptDeps = Pick<
  LaunchDeps,
  'db' | 'rpc' | 'seeds' | 'context' | 'settings' | 'now' | 'logger' | 'heartbeat'
> & { readonly receiptKey: ReceiptKey };

/** Rows that are taken at once. A row that is taken and not tried waits for its next turn: keep this small. */
const PAGE = 5;

/** Time after which the round ends, ms; the next round signs the rest. */
const MOST_MS = 30_000;

/** By a timer: one receipt takes many requests. */
const HEARTBEAT_EVERY_MS = 2_500;

/**
 * Signs a receipt for each settled launch and late quote that has none. Reads ledger and chain alone: rows that the
 * API's role may write prove nothing. Idempotent. Returns the number signed.
 */
export async function signReceipts(deps: ReceiptDeps): Promise<number> {
  const startedAt = deps.now().getTime();
  const alive = setInterval(deps.heartbeat, HEARTBEAT_EVERY_MS);
  try {
    for (let signed = 0; ;) {
      const due = await takeDue(deps);
      if (due.length === 0) return signed;
      for (const one of due) {
        signed += await settle(deps, one);
        if (deps.now().getTime() - startedAt > MOST_MS) return signed;
      }
    }
  } finally {
    clearInterval(alive);
  }
}

interface Due {
  readonly quoteId: string;
  /** Null while nothing is proven. */
  readonly find: () => Promise<Receipt | null>;
  /** Ends all tries: there will be no receipt. */
  readonly end: () => Promise<void>;
}

async function takeDue(deps: ReceiptDeps): Promise<Due[]> {
  const { db } = deps;
  const settled = await receipts.takeDueLaunches(db, PAGE);
  const late = await receipts.takeDueLateQuotes(db, PAGE);
  return [
    ...settled.map((launch) => {
      const { quoteId } = launch;
      return { quoteId, find: () => endOfLaunch(deps, launch), end: () => receipts.endLaunch(db, quoteId) };
    }),
    ...late.map((quote) => {
      const { quoteId, signature } = quote;
      return { quoteId, find: () => endOfLateQuote(deps, quote), end: () => receipts.endLateQuote(db, signature) };
    }),
  ];
}

/** A failed one waits for its next try and does not stop the others. Returns the number signed. */
async function settle(deps: ReceiptDeps, { quoteId, find, end }: Due): Promise<0 | 1> {
  try {
    const receipt = await find();
    if (receipt === null) return 0;
    const { kind } = receipt;
    await receipts.keep(deps.db, quoteId, { kind, jws: deps.receiptKey.receiptFor(receiptText(receipt)) });
    return 1;
  } catch (error) {
    if (isRefusal(error)) {
      deps.logger.warn({ err: error, quoteId }, 'a launch gets no receipt: its row is not what was signed');
      await end();
      return 0;
    }
    deps.logger.warn({ err: error, quoteId }, 'the receipt of a launch is tried again later');
    return 0;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProposalRefusedError || (error instanceof AppError && error.code === 'invalid_request');
}

/** Returns how the launch ended; null while nothing is proven. */
async function endOfLaunch(deps: ReceiptDeps, launch: LaunchRecord): Promise<Receipt | null> {
  const unpaid = inState(launch, 'not_landed');
  if (!unpaid) return endOfPaid(deps, launch);
  checkIdentity(deps, unpaid);
  checkPayment(unpaid);
  const { terms, submittedSignature, submittedWire } = unpaid;
  return endOfUnpaid(deps, terms, { wire: submittedWire, signature: submittedSignature });
}

async function endOfPaid(deps: ReceiptDeps, launch: LaunchRecord): Promise<Receipt> {
  const { quoteId, terms, state } = launch;
  const bundle = await readBundle(deps.db, quoteId);
  const [payment] = bundle;
  if (payment?.purpose !== launchPurpose(quoteId, 1) || payment.status !== 'finalized')
    throw new Error(`launch ${quoteId} is ${state} and the ledger has no final payment of it`);
  const end = inState(launch, 'refunded') ? await refunded(deps, launch) : completed(terms, bundle);
  return { ...subjectOf(deps, terms), creator: terms.creator, paymentSignature: payment.signature, ...end };
}

async function refunded({ db }: ReceiptDeps, { quoteId, terms }: LaunchRecord): Promise<ReceiptEnd> {
  const [refund] = await chainTransactions.liveByPrefix(db, refundPurpose(quoteId));
  if (refund?.status !== 'finalized')
    throw new Error(`launch ${quoteId} is refunded and the ledger has no final refund of it`);
  return { kind: 'refunded', lamports: terms.payment.lamports, refundSignature: refund.signature };
}

/** The slot is the payment's: the rest of a resumed launch landed later. */
function completed({ quoteId, addresses, payment }: LaunchTerms, bundle: readonly ChainTransaction[]): ReceiptEnd {
  const { slot } = bundle[0] ?? {};
  const isFinal = isWhole(bundle) && bundle.every(({ status }) => status === 'finalized');
  if (!isFinal || typeof slot !== 'bigint') throw new Error(`launch ${quoteId} is final and its bundle is not whole`);
  return {
    kind: 'completed',
    lamports: payment.lamports,
    mint: addresses.mint,
    slot: Number(slot),
    signatures: bundle.map(({ signature }) => signature),
  };
}

interface Payment {
  readonly wire: Uint8Array;
  readonly signature: string;
}

/**
 * Returns the receipt "not charged"; null unless a quorum proves that the payment did not land and never can:
 *
 * - its blockhash is that of the block it names, and has expired
 * - no transaction carries its message, under any signature
 * - the launch wallet signed nothing
 *
 * @throws ProposalRefusedError where blockhash and height are not those of a block
 */
async function endOfUnpaid(deps: ReceiptDeps, terms: UnpaidTerms, payment: Payment): Promise<Receipt | null> {
  const { lastValidBlockHeight, blockhashSlot } = terms.payment;
  const { message } = VersionedTransaction.deserialize(payment.wire);
  const block = await deps.rpc.blockAt(blockhashSlot);
  const isOfBlock = block.blockHeight + BLOCKHASH_BLOCKS === lastValidBlockHeight;
  if (block.blockhash !== message.recentBlockhash || !isOfBlock)
    throw new ProposalRefusedError(`the blockhash of quote ${terms.quoteId} is not that of slot ${blockhashSlot}`);
  const paid = { wire: payment.wire, purpose: launchPurpose(terms.quoteId, 1) };
  const verdict = await deps.rpc.proveDead({
    signatures: [payment.signature],
    lastValidBlockHeight,
    blockhashSlot,
    effects: [effectOf(terms, paid, launchMarks(terms))],
  });
  if (verdict.verdict !== 'dead' || (await hasBegun(deps.rpc, terms, deps.now()))) return null;
  const { blockhash } = block;
  const creator = message.staticAccountKeys[0]!.toBase58();
  const subject = { ...subjectOf(deps, terms), creator, paymentSignature: payment.signature };
  return { ...subject, kind: 'notCharged', blockhash, lastValidBlockHeight };
}

type UnpaidTerms = BegunTerms & Pick<LaunchTerms, 'addresses'>;

function subjectOf({ context }: ReceiptDeps, { quoteId, addresses: { launchWallet } }: UnpaidTerms) {
  return { environment: context.environment, genesisHash: context.genesisHash, quoteId, launchWallet };
}

/** A late quote has no terms: everything is derived from the bytes that the creator signed, and from the seeds. */
async function endOfLateQuote(deps: ReceiptDeps, quote: LateQuote): Promise<Receipt | null> {
  const { quoteId, wire, signature, refusedAt, blockhashSlot, lastValidBlockHeight } = quote;
  const { staticAccountKeys, header } = VersionedTransaction.deserialize(wire).message;
  const signers = staticAccountKeys.slice(0, header.numRequiredSignatures).map((key) => key.toBase58());
  const candidates = deps.seeds.map((seed) => deriveLaunchAddresses(seed, deps.context, quoteId));
  const addresses = candidates.find(({ launchWallet }) => signers.includes(launchWallet));
  const isOfQuote = quoteIdIn(Buffer.from(wire).toString('base64')) === quoteId;
  if (!addresses || !isOfQuote || !carriesSignature(wire, signature))
    throw new ProposalRefusedError(`late quote ${quoteId} has no payment of it that its creator signed`);
  // The amount is unknown. With 0 lamports the whole history of the launch wallet is read.
  const payment = {
    lamports: '0',
    blockhashSlot: Number(blockhashSlot),
    lastValidBlockHeight: Number(lastValidBlockHeight),
  };
  const terms = { quoteId, addresses, payment, expiresAt: refusedAt.toISOString() };
  const receipt = await endOfUnpaid(deps, terms, { wire, signature });
  // A launch has its own receipt. If the late quote's blockhash is younger, the chain shows no trace of that launch.
  if (receipt && (await launches.byQuoteId(deps.db, quoteId)))
    throw new ProposalRefusedError(`late quote ${quoteId} is that of a launch`);
  return receipt;
}
