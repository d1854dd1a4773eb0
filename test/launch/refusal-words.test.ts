import { describe, expect, it, test } from 'vitest';
import { chainRefusal } from '../../domain/launch/chain-refusal.ts';
import { shortageOf } from '../../domain/launch/shortage.ts';

/** Every TransactionError and InstructionError that a Solana node can answer (solana-transaction-error, solana-instruction-error). */
const TRANSACTION_ERRORS =
  `AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee
  InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep MissingSignatureForFee InvalidAccountIndex
  SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding
  WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit
  WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner
  InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit
  WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded InvalidLoadedAccountsDataSizeLimit ResanitizationNeeded
  UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled`.split(/\s+/);
const INSTRUCTION_ERRORS = `GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall
  InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount
  UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange
  ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged
  AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError
  ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount
  ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation
  ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority AccountNotRentExempt
  InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded
  MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits`.split(/\s+/);

const ERRORS: readonly unknown[] = [
  ...TRANSACTION_ERRORS,
  { InsufficientFundsForRent: { account_index: 0 } },
  { DuplicateInstruction: 2 },
  { ProgramExecutionTemporarilyRestricted: { account_index: 3 } },
  ...INSTRUCTION_ERRORS.map((error) => ({ InstructionError: [2, error] })),
  ...[0, 1, 6, 17, 101, 3012, 6000, 0xffff_ffff].map((Custom) => ({ InstructionError: [1, { Custom }] })),
  { InstructionError: [0, { BorshIoError: 'Unknown' }] },
  // What no node answers.
  null,
  undefined,
  7,
  {},
  [],
  'constructor',
  '__proto__',
  { toString: 1 },
  { InstructionError: 'text' },
  { InstructionError: [0] },
];

describe('a creator is told in words why the chain would refuse a launch', () => {
  test.each([1, 2, 3, 4, null] as const)('at step %s, whatever the chain says', (step) => {
    for (const err of ERRORS) {
      const words = chainRefusal(step, err);
      // Nothing of the chain's own spelling: no brackets, no names in camel case, no numbers of programs.
      expect(words.replaceAll('SOL', 'sol'), JSON.stringify(err)).toMatch(/^[a-z][a-z ,:;]+$/);
      expect(words.split(' ').length).toBeGreaterThan(4);
    }
  });

  it.each([
    [1, 'AccountNotFound', 'the wallet that pays holds no SOL'],
    [
      1,
      { InstructionError: [2, { Custom: 1 }] },
      'the chain would refuse the payment: the wallet has not enough SOL for it',
    ],
    [
      1,
      { InsufficientFundsForRent: { account_index: 0 } },
      'what would stay in the wallet that pays does not cover its rent',
    ],
    [1, 'BlockhashNotFound', 'the quote came too late: its payment has expired'],
    [
      3,
      { InstructionError: [4, { Custom: 6018 }] },
      'the chain would refuse the pool as it stands now; a fresh quote is built again',
    ],
    // "custom program error: 0x1" of the System program, from a library that reads whole numbers as bigint.
    [
      1,
      { InstructionError: [2, { Custom: 1n }] },
      'the chain would refuse the payment: the wallet has not enough SOL for it',
    ],
    [
      1,
      { InsufficientFundsForRent: { accountIndex: 0 } },
      'what would stay in the wallet that pays does not cover its rent',
    ],
    [1, 'InsufficientFundsForFee', 'the wallet that pays has not enough SOL for the network fee'],
    [
      1,
      { InstructionError: [3, 'InsufficientFunds'] },
      'the chain would refuse the payment: an account has not enough funds for it',
    ],
    // A custom error 1 of a token program is no lack of SOL.
    [
      3,
      { InstructionError: [2, { Custom: 1 }] },
      'the chain would refuse the pool as it stands now; a fresh quote is built again',
    ],
    [
      4,
      { InstructionError: [0, 'ProgramFailedToComplete'] },
      'the chain would refuse the locked liquidity: it would take more computing than is reserved for it',
    ],
  ] as const)('step %s, %o: %s', (step, err, words) => {
    expect(chainRefusal(step, err)).toBe(words);
  });
});

describe('what a wallet lacks is said in SOL, with what it is for', () => {
  const need = { wallet: 'W', payment: 290_000_000n, networkFee: 13_000n, rent: 890_880n };

  it('nothing where it can pay, and is emptied or keeps its rent', () => {
    for (const held of [290_013_000n, 290_903_880n, 5_000_000_000n])
      expect(shortageOf({ ...need, held })).toBeUndefined();
  });

  it('what is missing of payment and fee', () => {
    expect(shortageOf({ ...need, held: 290_000_000n })).toBe(
      'wallet W holds 0.29 SOL; the payment takes 0.29 SOL and its network fee 0.000013 SOL, so 0.000013 SOL is missing, or 0.00090388 SOL where the wallet is to be kept',
    );
    expect(shortageOf({ ...need, held: 0n })).toContain('holds 0 SOL');
  });

  it('what is missing of the rent of the wallet itself', () => {
    expect(shortageOf({ ...need, held: 290_013_001n })).toBe(
      'wallet W holds 0.290013001 SOL; the payment takes 0.29 SOL and its network fee 0.000013 SOL, and of what stays 0.00089088 SOL is rent of the wallet itself, so 0.000890879 SOL is missing',
    );
  });
});
