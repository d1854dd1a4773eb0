import { createTransferCheckedInstruction } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { TokenInfo } from '../exchange/exchange.ts';
import { createTokenAccount, TOKEN_ACCOUNT_COMPUTE_UNITS, tokenAccountOf } from '../tokens/associated-account.ts';
import type { Simulation } from '../rpc/simulate.ts';
import type { PurposedWork, PurposeFrame } from '../transactions/purposed.ts';

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

/**
 * Room of one transaction: a recipient takes one place, two when the account is made. Measured with 14 places of one kind: at
 * most 1,215 bytes of 1,232, and 59 of 64 entries in the instruction trace.
 */
export const PLACES_PER_TRANSACTION = 14;

/** Places that a recipient takes. */
export function placesOf({ opensAccount }: Pick<Recipient, 'opensAccount'>): number {
  return opensAccount ? 2 : 1;
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

/** Limit and price of compute units come first. */
const FRAME_INSTRUCTIONS = 2;

/** Too few tokens in the pot, or lamports at the payer: error 1 of the token programs and of the System program. */
const TooFew = Compile(Type.Object({ Custom: Type.Literal(1) }));

const InstructionFailure = Compile(Type.Object({ InstructionError: Type.Tuple([Type.Integer(), Type.Unknown()]) }));

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
    let next = computeUnitPrice === 0n ? FRAME_INSTRUCTIONS - 1 : FRAME_INSTRUCTIONS;
    for (const recipient of recipients) {
      next += recipient.opensAccount ? 2 : 1;
      if (err.InstructionError[0] < next) return recipient;
    }
  }
  throw new Error(`payouts would fail: ${JSON.stringify(err)} ${logs.slice(-3).join(' · ')}`);
}
