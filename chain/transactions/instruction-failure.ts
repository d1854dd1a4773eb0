import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** A TransactionError: instruction from 0, and reason. */
export const InstructionFailure = Compile(
  Type.Object({ InstructionError: Type.Tuple([Type.Integer(), Type.Unknown()]) }),
);
