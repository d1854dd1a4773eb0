import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { encodeAccount } from '../encoding/account-encoding.ts';
import { returnDataJson } from '../encoding/meta-encoding.ts';
import { transactionErrorMessage } from '../engine/transaction-error.ts';
import type { Address } from '../ledger/account.ts';
import type { Sandbox } from '../ledger/sandbox.ts';
import type { WireTransaction } from '../ledger/wire-transaction.ts';
import type { ChainView } from '../server/view.ts';
import { checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { addressParam, type Commitment, config, ContextFields, EncodingSchema, param } from './params.ts';
import { invalidParams, RPC_ERRORS, RpcError } from './rpc-error.ts';
import { type Simulation, simulateIn } from './simulation.ts';
import { decodeWire, WireEncodingSchema } from './wire-params.ts';

const MAX_BUNDLE = 5;

const AccountsConfig = Type.Union([
  Type.Object({
    addresses: Type.Array(Type.String()),
    encoding: Type.Optional(Type.Union([EncodingSchema, Type.Null()])),
  }),
  Type.Null(),
]);
const OptionalBoolean = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));
const Encoding = Type.Optional(Type.Union([WireEncodingSchema, Type.Null()]));

const BundleRequest = Compile(
  Type.Object({ encodedTransactions: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_BUNDLE }) }),
);
const BundleConfig = Compile(
  Type.Object({
    preExecutionAccountsConfigs: Type.Optional(Type.Array(AccountsConfig)),
    postExecutionAccountsConfigs: Type.Optional(Type.Array(AccountsConfig)),
    transactionEncoding: Encoding,
    simulationBank: Type.Optional(
      Type.Union([
        Type.Literal('tip'),
        Type.Object({ commitment: Type.Object({ commitment: Type.String() }) }),
        Type.Object({ slot: Type.Integer({ minimum: 0 }) }),
        Type.Null(),
      ]),
    ),
    skipSigVerify: OptionalBoolean,
    replaceRecentBlockhash: OptionalBoolean,
    minContextSlot: ContextFields.minContextSlot,
  }),
);
const SendParam = Compile(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_BUNDLE }));
const SendConfig = Compile(Type.Object({ encoding: Encoding }));

type AccountsOf = Type.Static<typeof AccountsConfig> | undefined;
type BundleOptions = Type.Static<ReturnType<(typeof BundleConfig)['Type']>>;

/** Returns SHA-256 of the comma-joined signatures, hex, as clients compute it. */
export function bundleId(transactions: readonly WireTransaction[]): string {
  return createHash('sha256')
    .update(transactions.map(({ id }) => id).join(','))
    .digest('hex');
}

function accountsJson(request: AccountsOf, read: Simulation['after']): unknown[] | null {
  if (!request) return null;
  return request.addresses.map((_address, index) => {
    const account = read(addressParam(request.addresses, index));
    return account && encodeAccount(account, { encoding: request.encoding ?? 'base64' }, read);
  });
}

interface BundleSimulation {
  readonly transaction: WireTransaction;
  readonly err: Simulation['execution']['err'];
  readonly json: unknown;
}

function simulateOne(
  sandbox: Sandbox,
  view: ChainView,
  transaction: WireTransaction,
  index: number,
  options: BundleOptions,
  commitment: Commitment,
): BundleSimulation {
  const read = (address: Address) => sandbox.read(address);
  const preExecutionAccounts = accountsJson(options.preExecutionAccountsConfigs?.[index], read);
  const simulation = simulateIn(sandbox, view, transaction, {
    commitment,
    sigVerify: options.skipSigVerify !== true,
    replaceRecentBlockhash: options.replaceRecentBlockhash === true,
  });
  const { execution } = simulation;
  const json = {
    err: execution.err,
    logs: execution.logs,
    preExecutionAccounts,
    postExecutionAccounts:
      execution.err === null ? accountsJson(options.postExecutionAccountsConfigs?.[index], read) : null,
    unitsConsumed: execution.computeUnits,
    returnData: returnDataJson(execution.returnData),
  };
  return { transaction, err: execution.err, json };
}

function summaryOf(results: readonly BundleSimulation[]): unknown {
  const failed = results.find(({ err }) => err !== null);
  if (!failed || failed.err === null) return 'succeeded';
  const error = { TransactionFailure: [failed.transaction.id, transactionErrorMessage(failed.err)] };
  return { failed: { error, tx_signature: failed.transaction.id } };
}

function simulateAll(
  view: ChainView,
  transactions: readonly WireTransaction[],
  options: BundleOptions,
  commitment: Commitment,
) {
  const sandbox = view.sandbox(commitment);
  const results: BundleSimulation[] = [];
  try {
    for (const [index, transaction] of transactions.entries()) {
      const result = simulateOne(sandbox, view, transaction, index, options, commitment);
      results.push(result);
      if (result.err !== null) break;
    }
  } finally {
    sandbox.discard();
  }
  return results;
}

/** A requested slot must be current for some commitment. */
function bankOf(view: ChainView, { simulationBank, minContextSlot }: BundleOptions): Commitment {
  if (typeof simulationBank !== 'object' || simulationBank === null) {
    return checkedCommitment(view, { minContextSlot }, 'processed');
  }
  if ('commitment' in simulationBank) {
    return checkedCommitment(view, { commitment: simulationBank.commitment.commitment, minContextSlot });
  }
  const { slot } = simulationBank;
  const found = (['processed', 'confirmed', 'finalized'] as const).find((name) => view.slotAt(name) === slot);
  if (!found) throw invalidParams(`bank not found for slot ${slot}`);
  return found;
}

function assertConfigCount(name: string, configs: readonly unknown[] | undefined, count: number): void {
  if (configs && configs.length !== count)
    throw invalidParams(`${name}: ${configs.length} entries for ${count} transactions`);
}

export const bundleMethods: RpcMethods = {
  simulateBundle: (params, { view }) => {
    const { encodedTransactions } = param(params, 0, BundleRequest);
    const options = config(params, 1, BundleConfig);
    assertConfigCount('preExecutionAccountsConfigs', options.preExecutionAccountsConfigs, encodedTransactions.length);
    assertConfigCount('postExecutionAccountsConfigs', options.postExecutionAccountsConfigs, encodedTransactions.length);
    if (options.replaceRecentBlockhash === true && options.skipSigVerify !== true) {
      throw invalidParams('replaceRecentBlockhash requires skipSigVerify');
    }
    const transactions = encodedTransactions.map((text) => decodeWire(text, options.transactionEncoding ?? 'base64'));
    const commitment = bankOf(view, options);
    const results = simulateAll(view, transactions, options, commitment);
    const transactionResults = results.map(({ json }) => json);
    return withContext(view, commitment, { summary: summaryOf(results), transactionResults });
  },

  sendBundle: (params, { view }) => {
    const { encoding } = config(params, 1, SendConfig);
    const transactions = param(params, 0, SendParam).map((text) => decodeWire(text, encoding ?? 'base64'));
    const landing = view.ledger.landBundle(transactions);
    if (landing.landed) return bundleId(transactions);
    const { index, err, logs } = landing;
    const message = `Bundle was not landed: transaction ${index} failed: ${transactionErrorMessage(err)}`;
    throw new RpcError(RPC_ERRORS.preflightFailure, message, { index, err, logs });
  },
};
