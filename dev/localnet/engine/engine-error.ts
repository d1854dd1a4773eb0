import type { FailedTransactionMetadata } from 'litesvm';
import { instructionErrorName, transactionErrorName, type TransactionError } from './transaction-error.ts';

type EngineError = ReturnType<FailedTransactionMetadata['err']>;

export function engineError(error: EngineError): TransactionError {
  if (typeof error === 'number') return transactionErrorName(error);
  if ('err' in error) {
    const cause = error.err();
    if (typeof cause === 'number') return { InstructionError: [error.index, instructionErrorName(cause)] };
    return { InstructionError: [error.index, 'code' in cause ? { Custom: cause.code } : 'BorshIoError'] };
  }
  if ('accountIndex' in error) {
    return error.constructor.name === 'TransactionErrorInsufficientFundsForRent'
      ? { InsufficientFundsForRent: { account_index: error.accountIndex } }
      : { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } };
  }
  return { DuplicateInstruction: error.index };
}
