import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { errorText } from '../../../domain/error-text.ts';
import { transactionErrorMessage } from '../engine/transaction-error.ts';
import type { WireTransaction } from '../ledger/wire-transaction.ts';
import type { ChainView } from '../server/view.ts';
import { checkedCommitment, type RpcContext, type RpcMethods } from './context.ts';
import { addressParam, type Commitment, config, ContextFields, param } from './params.ts';
import { invalidParams, RPC_ERRORS, RpcError } from './rpc-error.ts';
import { type Simulation, simulate, simulationValue } from './simulation.ts';
import { decodeWire, WireEncodingSchema } from './wire-params.ts';

const Text = Compile(Type.String());
const Lamports = Compile(Type.Integer({ minimum: 1 }));
const SendConfig = Compile(
  Type.Object({
    minContextSlot: ContextFields.minContextSlot,
    skipPreflight: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    preflightCommitment: ContextFields.commitment,
    encoding: Type.Optional(Type.Union([WireEncodingSchema, Type.Null()])),
    maxRetries: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  }),
);

export function preflightFailure(simulation: Simulation): RpcError {
  const { err } = simulation.execution;
  const text = err === null ? 'unknown' : transactionErrorMessage(err);
  return new RpcError(
    RPC_ERRORS.preflightFailure,
    `Transaction simulation failed: ${text}`,
    simulationValue(simulation),
  );
}

function preflight(view: ChainView, transaction: WireTransaction, commitment: Commitment): void {
  const simulation = simulate(view, transaction, { commitment, sigVerify: true });
  if (simulation.execution.err === 'SignatureFailure') {
    throw new RpcError(RPC_ERRORS.signatureVerificationFailure, 'Transaction signature verification failure');
  }
  if (simulation.execution.err !== null) throw preflightFailure(simulation);
}

function isDropped({ control, endpoint }: RpcContext): boolean {
  return control.takeDrop(endpoint);
}

export const sendMethods: RpcMethods = {
  sendTransaction: (params, context) => {
    const { view } = context;
    const options = config(params, 1, SendConfig);
    const transaction = decodeWire(param(params, 0, Text), options.encoding ?? 'base58');
    const { minContextSlot } = options;
    const commitment = checkedCommitment(view, { commitment: options.preflightCommitment, minContextSlot });
    if (options.skipPreflight !== true) preflight(view, transaction, commitment);
    // A node responds after the preflight; a refused transaction never shows up.
    if (!isDropped(context)) view.ledger.land(transaction);
    return transaction.id;
  },

  requestAirdrop: (params, { view, faucet }) => {
    const [wallet, lamports] = [addressParam(params, 0), BigInt(param(params, 1, Lamports))];
    try {
      return faucet.fund(view.ledger, wallet, lamports).signature;
    } catch (error) {
      throw invalidParams(errorText(error));
    }
  },
};
