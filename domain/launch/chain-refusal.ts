import type { LaunchStep } from '../purpose.ts';

const STEP_WORDS: Readonly<Record<LaunchStep, string>> = {
  1: 'the payment',
  2: 'the mint',
  3: 'the pool',
  4: 'the locked liquidity',
};

/** Errors of a whole transaction. */
const TRANSACTION_ERRORS = new Map<string, string>(
  Object.entries({
    AccountNotFound: 'the wallet that pays holds no SOL',
    InsufficientFundsForFee: 'the wallet that pays has not enough SOL for the network fee',
    InsufficientFundsForRent: 'what would stay in the wallet that pays does not cover its rent',
    InvalidRentPayingAccount: 'what would stay in the wallet that pays does not cover its rent',
    InvalidAccountForFee: 'the wallet that pays is an account of a program, which cannot pay a network fee',
    BlockhashNotFound: 'the quote came too late: its payment has expired',
    AlreadyProcessed: 'the payment of this quote has landed before',
    ProgramAccountNotFound: 'a program that the payment calls is not on this chain',
    InvalidProgramForExecution: 'a program that the payment calls is not on this chain',
    SignatureFailure: 'a signature of the payment does not fit it',
    AccountInUse: 'the chain is busy with the accounts of this launch',
    AccountBorrowOutstanding: 'the chain is busy with the accounts of this launch',
    TooManyAccountLocks: 'the chain is busy with the accounts of this launch',
    WouldExceedMaxBlockCostLimit: 'the chain is too busy at the moment',
    WouldExceedMaxAccountCostLimit: 'the chain is too busy at the moment',
    WouldExceedMaxVoteCostLimit: 'the chain is too busy at the moment',
    WouldExceedAccountDataBlockLimit: 'the chain is too busy at the moment',
    WouldExceedAccountDataTotalLimit: 'the chain is too busy at the moment',
    ClusterMaintenance: 'the chain is under maintenance',
  }),
);

/** Errors without a program's own number. */
const INSTRUCTION_ERRORS = new Map<string, string>(
  Object.entries({
    InsufficientFunds: 'an account has not enough funds for it',
    UnsupportedProgramId: 'a program that it calls is not on this chain',
    AccountNotRentExempt: 'an account would not cover its rent',
    ComputationalBudgetExceeded: 'it would take more computing than is reserved for it',
    ProgramFailedToComplete: 'it would take more computing than is reserved for it',
    AccountAlreadyInitialized: 'what it makes is there already',
    AccountBorrowFailed: 'the chain is busy with the accounts of this launch',
  }),
);

/** Code of the System program's "insufficient lamports"; some libraries read numbers as bigint. */
const SYSTEM_LACKS_LAMPORTS: readonly unknown[] = [1, 1n];

/**
 * Explains the refusal to the creator. Never passes on the TransactionError's raw text; unknown errors get a general
 * message.
 */
export function chainRefusal(step: LaunchStep | null, err: unknown): string {
  const what = step === null ? 'the launch' : STEP_WORDS[step];
  const name = nameOf(err);
  const whole = name === undefined ? undefined : TRANSACTION_ERRORS.get(name);
  if (whole !== undefined) return whole;
  const inner = instructionWords(step, err);
  if (inner !== undefined) return `the chain would refuse ${what}: ${inner}`;
  return `the chain would refuse ${what} as it stands now; a fresh quote is built again`;
}

function instructionWords(step: LaunchStep | null, failure: unknown): string | undefined {
  if (typeof failure !== 'object' || failure === null || !('InstructionError' in failure)) return undefined;
  const { InstructionError: detail }: { readonly InstructionError: unknown } = failure;
  const err: unknown = Array.isArray(detail) ? detail[1] : undefined;
  const isTransfer = step === 1 && nameOf(err) === 'Custom' && SYSTEM_LACKS_LAMPORTS.includes(customOf(err));
  if (isTransfer) return 'the wallet has not enough SOL for it';
  const name = nameOf(err);
  return name === undefined ? undefined : INSTRUCTION_ERRORS.get(name);
}

function nameOf(err: unknown): string | undefined {
  if (typeof err === 'string') return err;
  return typeof err === 'object' && err !== null ? Object.keys(err)[0] : undefined;
}

function customOf(err: unknown): unknown {
  return typeof err === 'object' && err !== null && 'Custom' in err ? err.Custom : undefined;
}
