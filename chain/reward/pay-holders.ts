import { createTransferCheckedInstruction } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { TokenInfo } from '../exchange/exchange.ts';
import { createTokenAccount, TOKEN_ACCOUNT_COMPUTE_UNITS, tokenAccountOf } from '../tokens/associated-account.ts';
import { LANE_PROGRAM_ID } from '../lanes/lane.ts';
import { STEP_INSTRUCTIONS } from '../lanes/step.ts';
import type { Simulation } from '../rpc/simulate.ts';
import { MAX_TRANSACTION_BYTES } from '../transactions/compile.ts';
import type { PurposedWork, PurposeFrame } from '../transactions/purposed.ts';
import { InstructionFailure } from '../transactions/instruction-failure.ts';

/** Somebody who is paid quote tokens out of the pot. */
export interface Recipient {
  readonly owner: PublicKey;
  /** Raw units that are sent; a transfer tax of the quote token is taken out of it. */
  readonly amountRaw: bigint;
  /** The owner's associated account is made, because there was none when the payout was planned. */
  readonly opensAccount: boolean;
}

/** One transaction of payouts. */
export interface PayoutRequest extends PurposeFrame {
  readonly quote: TokenInfo;
  readonly recipients: readonly Recipient[];
}

/** Recipients of one transaction by what they take: those whose account is there, and those for whom one is made. */
export interface PayoutRoom {
  readonly paid: number;
  readonly opened: number;
}

/**
 * Bytes of a payout transaction: signatures, header, compute budget, the step of a lane and the pot's accounts; then for a token
 * of Token-2022 its program beside the lane's; for each recipient their accounts and instructions; and once, where an account is
 * made, the two programs for that. Compared with compiled transactions in test/reward/round-transactions.test.ts.
 */
const FRAME_BYTES = 522;
const OTHER_PROGRAM_BYTES = 32;
const PAID_BYTES = 49;
const OPENED_BYTES = 91;
const OPENING_BYTES = 64;

/** Bytes of a transaction that pays so many recipients. */
export function payoutBytes({ tokenProgram }: Pick<TokenInfo, 'tokenProgram'>, { paid, opened }: PayoutRoom): number {
  const program = tokenProgram.equals(LANE_PROGRAM_ID) ? 0 : OTHER_PROGRAM_BYTES;
  return FRAME_BYTES + program + paid * PAID_BYTES + opened * OPENED_BYTES + (opened > 0 ? OPENING_BYTES : 0);
}

/** Limit and price of compute units come first, then the step of the lane. */
const FRAME_INSTRUCTIONS = 2 + STEP_INSTRUCTIONS;

/** Entries of the instruction trace that one transaction may have, and that opening an account and paying take at most. */
const MAX_TRACE = 64;
const OPENED_TRACE = 9;

/** Whether one transaction pays so many recipients: 14 or 7 that are opened, of Token-2022 13 or 6. */
export function fitsOneTransaction(quote: Pick<TokenInfo, 'tokenProgram'>, room: PayoutRoom): boolean {
  const trace = FRAME_INSTRUCTIONS + room.paid + room.opened * OPENED_TRACE;
  return payoutBytes(quote, room) <= MAX_TRANSACTION_BYTES && trace <= MAX_TRACE;
}

/** A transfer of a taxed Token-2022 token takes about 7,000. */
const TRANSFER_COMPUTE_UNITS = 15_000;

/** What the payouts take; the frame is the request's own. */
export function payoutWork(request: PayoutRequest): PurposedWork {
  const { recipients } = request;
  const opened = recipients.filter(({ opensAccount }) => opensAccount).length;
  return {
    instructions: recipients.flatMap((recipient) => payOne(request, recipient)),
    signers: [],
    computeUnits: recipients.length * TRANSFER_COMPUTE_UNITS + opened * TOKEN_ACCOUNT_COMPUTE_UNITS,
  };
}

function payOne({ quote, wallet, payer }: PayoutRequest, { owner, amountRaw, opensAccount }: Recipient) {
  const { mint, decimals, tokenProgram } = quote;
  const [from, to] = [tokenAccountOf(quote, wallet.publicKey), tokenAccountOf(quote, owner)];
  const source = wallet.publicKey;
  const pay = createTransferCheckedInstruction(from, mint, to, source, amountRaw, decimals, [], tokenProgram);
  return opensAccount ? [createTokenAccount(payer.publicKey, quote, owner), pay] : [pay];
}

/** Too few tokens in the pot, or lamports at the payer: error 1 of the token programs and of the System program. */
const TooFew = Compile(Type.Object({ Custom: Type.Literal(1) }));

/**
 * Which recipient a simulated transaction of these would fail at; undefined where it succeeds. Throws where it fails for a
 * reason that is no recipient's.
 */
export function refusingRecipient(
  recipients: readonly Recipient[],
  computeUnitPrice: bigint,
  { err, logs }: Simulation,
): Recipient | undefined {
  if (err === null) return undefined;
  if (InstructionFailure.Check(err) && !TooFew.Check(err.InstructionError[1])) {
    const [failed] = err.InstructionError;
    let next = computeUnitPrice === 0n ? FRAME_INSTRUCTIONS - 1 : FRAME_INSTRUCTIONS;
    // A step that does not fit says that the ledger is behind; no recipient is to blame.
    for (const recipient of failed < next ? [] : recipients) {
      next += recipient.opensAccount ? 2 : 1;
      if (failed < next) return recipient;
    }
  }
  throw new Error(`payouts would fail: ${JSON.stringify(err)} ${logs.slice(-3).join(' · ')}`);
}
