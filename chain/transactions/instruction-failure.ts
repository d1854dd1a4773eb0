import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** The chain's TransactionError of a transaction that failed by one of its instructions: which, from 0, and why. */
export const InstructionFailure = Compile(
  Type.Object({ InstructionError: Type.Tuple([Type.Integer(), Type.Unknown()]) }),
);
