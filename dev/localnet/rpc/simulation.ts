import type { Execution } from '../engine/engine.ts';
import type { Account, Address } from '../ledger/account.ts';
import { type LoadedAddresses, NO_LOADED_ADDRESSES } from '../ledger/message-keys.ts';
import type { Run, Sandbox } from '../ledger/sandbox.ts';
import { decodeMessage, type WireTransaction } from '../ledger/wire-transaction.ts';
import { fromBase58 } from '../encoding/base58.ts';
import { balancesJson, loadedAddressesJson, returnDataJson } from '../encoding/meta-encoding.ts';
import type { ChainView } from '../server/view.ts';
import type { Commitment } from './params.ts';

export interface SimulationOptions {
  readonly commitment: Commitment;
  readonly sigVerify?: boolean;
  readonly replaceRecentBlockhash?: boolean;
}

/** `run` is null if it would not run at all. */
export interface Simulation {
  readonly execution: Execution;
  readonly run: Run | null;
  readonly loaded: LoadedAddresses;
  readonly replacement: { readonly blockhash: string; readonly lastValidBlockHeight: number } | null;
  readonly after: (address: Address) => Account | null;
}

const REFUSED = { logs: [], computeUnits: 0n, inner: [], returnData: null };

export function withBlockhash(transaction: WireTransaction, blockhash: string): WireTransaction {
  const { message } = transaction;
  const bytes = Buffer.from(message.bytes);
  const versionBytes = message.version === 'legacy' ? 0 : 1;
  const countBytes = message.staticKeys.length > 127 ? 2 : 1;
  bytes.set(fromBase58(blockhash), versionBytes + 3 + countBytes + 32 * message.staticKeys.length);
  return { ...transaction, message: decodeMessage(bytes) };
}

/** Checks age and duplicates first, as landing does. */
export function simulateIn(
  sandbox: Sandbox,
  view: ChainView,
  transaction: WireTransaction,
  { commitment, sigVerify = false, replaceRecentBlockhash = false }: SimulationOptions,
): Simulation {
  const replacement = replaceRecentBlockhash ? view.latestBlockhash(commitment) : null;
  const subject = replacement ? withBlockhash(transaction, replacement.blockhash) : transaction;
  const err = replacement ? null : view.admissionError(subject.message, commitment, (address) => sandbox.read(address));
  if (err !== null) {
    const after = (address: Address): Account | null => sandbox.read(address);
    return { execution: { err, ...REFUSED }, run: null, loaded: NO_LOADED_ADDRESSES, replacement, after };
  }
  const run = sandbox.run(subject, sigVerify);
  const changes = new Map(sandbox.changes);
  const after = (address: Address): Account | null =>
    changes.get(address) ?? (changes.has(address) ? null : sandbox.read(address));
  return { execution: run.execution, run, loaded: run.loaded, replacement, after };
}

export function simulate(view: ChainView, transaction: WireTransaction, options: SimulationOptions): Simulation {
  const sandbox = view.sandbox(options.commitment);
  try {
    return simulateIn(sandbox, view, transaction, options);
  } finally {
    sandbox.discard();
  }
}

export function simulationValue({ execution, run, loaded, replacement }: Simulation): Record<string, unknown> {
  return {
    accounts: null,
    err: execution.err,
    fee: run?.landed === true ? run.fee : null,
    innerInstructions: null,
    loadedAccountsDataSize: run ? loadedBytes(run) : 0,
    loadedAddresses: loadedAddressesJson(loaded),
    logs: execution.logs,
    ...(run?.landed === true ? balancesJson(run) : NO_BALANCES),
    replacementBlockhash: replacement,
    returnData: returnDataJson(execution.returnData),
    unitsConsumed: execution.computeUnits,
  };
}

const NO_BALANCES = { preBalances: null, postBalances: null, preTokenBalances: null, postTokenBalances: null };

function loadedBytes(run: Run): number {
  return run.before.reduce((sum, account) => sum + (account?.data.length ?? 0), 0);
}
