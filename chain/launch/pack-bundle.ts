import type { PublicKey, TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import { LAUNCH_STEPS, launchPurpose, type LaunchStep } from '../../domain/purpose.ts';
import { type PlannedTransaction, TransactionTooLargeError } from '../transactions/compile.ts';
import type { AgreedLookupTable } from '../transactions/lookup-table.ts';
import { memoInstruction } from '../transactions/memo.ts';
import type { BundleFees, LaunchGroup } from './launch-builder.ts';
import { TOKEN_ACCOUNT_COMPUTE_UNITS } from '../tokens/associated-account.ts';
import { termsMemo } from './terms-memo.ts';
import { type PackedTransaction, packTransaction } from './pack.ts';

export interface BundleGroups {
  readonly mint: LaunchGroup;
  readonly pool: LaunchGroup;
  readonly locks: LaunchGroup;
  /** Of the creator, for a dev buy: after the mint, before the dev buy. */
  readonly account: readonly TransactionInstruction[];
}

export interface Packing {
  readonly quoteId: string;
  readonly termsKey: string;
  readonly payer: PublicKey;
  readonly fees: BundleFees;
  readonly lookupTables: readonly AgreedLookupTable[];
}

export interface PackedStep {
  readonly step: LaunchStep;
  readonly group: LaunchGroup;
  readonly transaction: PlannedTransaction;
}

type Placement = 2 | 3;

const MEMO_COMPUTE_UNITS = 30_000;

/**
 * The creator's account goes where more compute budget remains: step 2 of a reward launch or step 3 with a real pool
 * may be full. Throws a TransactionTooLargeError.
 */
export function packBundle(groups: BundleGroups, packing: Packing): PackedStep[] {
  const placements: readonly Placement[] = groups.account.length === 0 ? [2] : [2, 3];
  const tries = placements.map((placement) => tryPlacement(groups, placement, packing));
  const fitting = tries.filter((attempt) => 'trims' in attempt).sort((a, b) => a.trims - b.trims);
  const [best] = fitting;
  if (best) return best.steps;
  throw tries.find((attempt) => 'tooLarge' in attempt)?.tooLarge ?? new RangeError('there is nothing to pack');
}

type Attempt =
  | { readonly steps: PackedStep[]; readonly trims: number }
  | { readonly tooLarge: TransactionTooLargeError };

function tryPlacement(groups: BundleGroups, placement: Placement, packing: Packing): Attempt {
  const { mint, pool, locks, account } = groups;
  const steps: [LaunchStep, LaunchGroup][] = [
    [2, placement === 2 ? after(mint, account) : mint],
    [3, placement === 3 ? before(pool, account) : pool],
    [4, locks],
  ];
  try {
    const packed = steps.map(([step, group]) => ({ step, group, ...packStep(step, group, packing) }));
    return { steps: packed, trims: packed.reduce((sum, { trims }) => sum + trims, 0) };
  } catch (error) {
    if (error instanceof TransactionTooLargeError) return { tooLarge: error };
    throw error;
  }
}

function packStep(step: LaunchStep, group: LaunchGroup, packing: Packing): PackedTransaction {
  const { payer, fees, lookupTables } = packing;
  const memos = memosOf(step, packing);
  const packed = packTransaction({
    payer,
    lookupTables,
    blockhash: fees.blockhash,
    computeUnitPrice: fees.computeUnitPrice,
    computeUnits: group.computeUnits + memos.length * MEMO_COMPUTE_UNITS,
    instructions: [...group.instructions, ...memos.map((memo) => memoInstruction(memo))],
  });
  if (step === 4) assertTipIsNamed(packed.transaction, fees.tipAccount);
  return packed;
}

/** The last transaction names the terms: by it a launch is found in the history of the platform wallet. */
function memosOf(step: LaunchStep, { quoteId, termsKey }: Packing): string[] {
  return [launchPurpose(quoteId, step), ...(step === LAUNCH_STEPS.at(-1) ? [termsMemo(termsKey)] : [])];
}

/** Throws if the tip account is not a static key: block engines ignore tips to an account from a lookup table. */
function assertTipIsNamed({ message }: VersionedTransaction, tipAccount: PublicKey): void {
  if (message.staticAccountKeys.some((key) => key.equals(tipAccount))) return;
  throw new RangeError(`the lookup table holds the tip account ${tipAccount.toBase58()}; it must not`);
}

function after(group: LaunchGroup, account: readonly TransactionInstruction[]): LaunchGroup {
  return { ...withAccount(group, account), instructions: [...group.instructions, ...account] };
}

function before(group: LaunchGroup, account: readonly TransactionInstruction[]): LaunchGroup {
  return { ...withAccount(group, account), instructions: [...account, ...group.instructions] };
}

function withAccount(group: LaunchGroup, account: readonly TransactionInstruction[]): LaunchGroup {
  return { ...group, computeUnits: group.computeUnits + account.length * TOKEN_ACCOUNT_COMPUTE_UNITS };
}
