import type { PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { Purpose } from '../../domain/purpose.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { Lane } from './lane.ts';
import { type LaneSecret, numberOf, onceAddress, stepValue } from './lane-secret.ts';
import { assertLeavesLaneAlone, digestOf, readStep, type SignedStep, stepIn, stepInstructions } from './step.ts';

export interface Stamp {
  readonly blockhash: string;
  /** Signs the step. */
  readonly signer: TransactionSigner;
  /** Lane step, then these: all that the transaction does besides the compute budget. Throws if one names the lane. */
  mark(instructions: readonly TransactionInstruction[]): TransactionInstruction[];
  /** Throws unless these are a step of this stamp and exactly the stamped instructions. Call before signing. */
  assertCarriedBy(instructions: readonly TransactionInstruction[]): void;
}

export interface StampedStep {
  readonly number: number;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Uint8Array;
}

export interface LaneStamp extends Stamp {
  /** `loaded`: accounts from lookup tables. Throws for a foreign step, or other instructions after it. */
  stepOn(wire: Uint8Array, loaded?: readonly PublicKey[]): StampedStep;
}

export interface StampOptions {
  readonly lane: Lane;
  readonly signer: TransactionSigner;
  readonly secret: LaneSecret;
  readonly purpose: Purpose;
  /** Finalized, by the ledger. */
  readonly from: bigint;
  readonly blockhash: string;
}

export function createStamp({ lane, signer, secret, purpose, from, blockhash }: StampOptions): LaneStamp {
  const number = numberOf(from) + 1;
  const once = onceAddress(secret, lane.index, number);
  const made = new Map<bigint, StampedStep>();
  const ownStep = (step: SignedStep | null): StampedStep => {
    const own = step?.mint.equals(lane.mint) === true && step.from === from ? made.get(step.to) : undefined;
    if (!step || !own)
      throw new Error(`the transaction of ${purpose} does not begin with step ${number} of lane ${lane.index}`);
    if (Buffer.from(step.digest()).equals(own.digest)) return own;
    throw new Error(
      `the transaction of ${purpose} does something else than step ${number} of lane ${lane.index} was made for`,
    );
  };
  return {
    blockhash,
    signer,
    mark(instructions) {
      const digest = digestOf(instructions);
      const to = stepValue(secret, number, { from, purpose, digest });
      const step = { lane, from, to, once };
      assertLeavesLaneAlone(step, instructions);
      made.set(to, { number, from, to, digest });
      return [...stepInstructions(step), ...instructions];
    },
    assertCarriedBy(instructions) {
      ownStep(stepIn(instructions));
    },
    stepOn: (wire, loaded = []) => ownStep(readStep(wire, loaded)),
  };
}
