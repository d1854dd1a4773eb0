import { createTransferCheckedInstruction } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { createTokenAccount, TOKEN_ACCOUNT_COMPUTE_UNITS, tokenAccountOf } from '../tokens/associated-account.ts';
import { LANE_PROGRAM_ID } from '../lanes/lane.ts';
import { STEP_INSTRUCTIONS } from '../lanes/step.ts';
import type { Simulation } from '../rpc/simulate.ts';
import { MAX_TRANSACTION_BYTES } from '../transactions/compile.ts';
import type { PurposedWork, PurposeFrame } from '../transactions/purposed.ts';
import { InstructionFailure } from '../transactions/instruction-failure.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface Recipient {
  readonly owner: PublicKey;
  /** Before transfer tax. */
  readonly amountRaw: bigint;
  /** Missing at planning. */
  readonly opensAccount: boolean;
}

export interface PayoutRequest extends PurposeFrame {
  readonly quote: TokenInfo;
  readonly recipients: readonly Recipient[];
}

export interface PayoutRoom {
  readonly paid: number;
  readonly opened: number;
}

/**
 * Frame: signatures, header, budget, lane step, pot accounts. Token-2022 adds its program, each recipient accounts and
 * instructions, account creation two programs once. test/reward/round-transactions.test.ts compares them with compiled
 * transactions.
 */
const FRAME_BYTES = 522;
const OTHER_PROGRAM_BYTES = 32;
const PAID_BYTES = 49;
const OPENED_BYTES = 91;
const OPENING_BYTES = 64;

export function payoutBytes({ tokenProgram }: Pick<TokenInfo, 'tokenProgram'>, { paid, opened }: PayoutRoom): number {
  const program = tokenProgram.equals(LANE_PROGRAM_ID) ? 0 : OTHER_PROGRAM_BYTES;
  return FRAME_BYTES + program + paid * PAID_BYTES + opened * OPENED_BYTES + (opened > 0 ? OPENING_BYTES : 0);
}

/** Compute limit and price, lane step. */
const FRAME_INSTRUCTIONS = 2 + STEP_INSTRUCTIONS;

/** Trace entries: a transaction's, and of a created and a paid account. */
const MAX_TRACE = 64;
const OPENED_TRACE = 9;

/** True for up to 14 paid or 7 created; Token-2022: 13 or 6. */
export function fitsOneTransaction(quote: Pick<TokenInfo, 'tokenProgram'>, room: PayoutRoom): boolean {
  const trace = FRAME_INSTRUCTIONS + room.paid + room.opened * OPENED_TRACE;
  return payoutBytes(quote, room) <= MAX_TRANSACTION_BYTES && trace <= MAX_TRACE;
}

/** A taxed transfer takes about 7,000. */
const TRANSFER_COMPUTE_UNITS = 15_000;

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

/** Error 1 of the token programs and the System program. */
const TooFew = Compile(Type.Object({ Custom: Type.Literal(1) }));

/** Finds the recipient that caused the failure; undefined after success. Throws if no recipient caused it. */
export function refusingRecipient(
  recipients: readonly Recipient[],
  computeUnitPrice: bigint,
  { err, logs }: Simulation,
): Recipient | undefined {
  if (err === null) return undefined;
  if (InstructionFailure.Check(err) && !TooFew.Check(err.InstructionError[1])) {
    const [failed] = err.InstructionError;
    let next = computeUnitPrice === 0n ? FRAME_INSTRUCTIONS - 1 : FRAME_INSTRUCTIONS;
    // A failed step means that the ledger is behind.
    for (const recipient of failed < next ? [] : recipients) {
      next += recipient.opensAccount ? 2 : 1;
      if (failed < next) return recipient;
    }
  }
  throw new Error(`payouts would fail: ${JSON.stringify(err)} ${logs.slice(-3).join(' · ')}`);
}
