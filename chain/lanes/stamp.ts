import type { TransactionInstruction } from '@solana/web3.js';
import type { Purpose } from '../../domain/purpose.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { Lane } from './lane.ts';
import { type LaneSecret, numberOf, onceAddress, stepValue } from './lane-secret.ts';
import { assertLeavesLaneAlone, digestOf, readStep, stepInstructions } from './step.ts';

/** What makes a transaction the one that carries out a movement: everybody who builds one puts it on. */
export interface Stamp {
  readonly blockhash: string;
  /** Signs the step, beside those who sign for what follows it. */
  readonly signer: TransactionSigner;
  /**
   * The step of the movement's lane and, after it, these instructions: all that the transaction does but asking for compute.
   * Throws where one of them names the lane.
   */
  mark(instructions: readonly TransactionInstruction[]): TransactionInstruction[];
}

/** A step that a stamp has put on a transaction. */
export interface StampedStep {
  readonly number: number;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Uint8Array;
}

/** A stamp that remembers what it was put on. */
export interface LaneStamp extends Stamp {
  /** The step on a signed transaction. Throws where it is not one that this stamp has made. */
  stepOn(wire: Uint8Array): StampedStep;
}

/** What a stamp follows from. */
export interface StampOptions {
  readonly lane: Lane;
  readonly signer: TransactionSigner;
  readonly secret: LaneSecret;
  readonly purpose: Purpose;
  /** The value of the lane that the ledger knows to be final. */
  readonly from: bigint;
  readonly blockhash: string;
}

/** The stamp for the next step of a lane. */
export function createStamp({ lane, signer, secret, purpose, from, blockhash }: StampOptions): LaneStamp {
  const number = numberOf(from) + 1;
  const once = onceAddress(secret, lane.index, number);
  const made = new Map<bigint, StampedStep>();
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
    stepOn(wire) {
      const step = readStep(wire);
      const own = step?.mint.equals(lane.mint) === true && step.from === from ? made.get(step.to) : undefined;
      if (!own)
        throw new Error(`the transaction of ${purpose} does not begin with step ${number} of lane ${lane.index}`);
      return own;
    },
  };
}
