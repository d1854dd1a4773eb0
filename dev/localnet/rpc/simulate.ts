import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { encodeAccount } from '../encoding/account-encoding.ts';
import { innerInstructionsJson } from '../encoding/meta-encoding.ts';
import { checkedCommitment, type RpcMethods, withContext } from './context.ts';
import { addressParam, config, ContextFields, EncodingSchema, param } from './params.ts';
import { invalidParams, RPC_ERRORS, RpcError } from './rpc-error.ts';
import { type Simulation, simulate, simulationValue } from './simulation.ts';
import { decodeWire, WireEncodingSchema } from './wire-params.ts';

const Text = Compile(Type.String());
const OptionalBoolean = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

const SimulateConfig = Compile(
  Type.Object({
    ...ContextFields,
    sigVerify: OptionalBoolean,
    replaceRecentBlockhash: OptionalBoolean,
    innerInstructions: OptionalBoolean,
    encoding: Type.Optional(Type.Union([WireEncodingSchema, Type.Null()])),
    accounts: Type.Optional(
      Type.Union([
        Type.Object({
          addresses: Type.Array(Type.String()),
          encoding: Type.Optional(Type.Union([EncodingSchema, Type.Null()])),
        }),
        Type.Null(),
      ]),
    ),
  }),
);

type AccountsRequest = NonNullable<Type.Static<ReturnType<(typeof SimulateConfig)['Type']>>['accounts']>;

function accountsAfter(simulation: Simulation, request: AccountsRequest): unknown[] {
  const { addresses, encoding } = request;
  if (encoding === 'base58' || encoding === 'binary') throw invalidParams('base58 encoding not supported');
  const keys = simulation.run?.keys.length ?? 0;
  if (simulation.run && addresses.length > keys) throw invalidParams(`Too many accounts provided; max ${keys}`);
  return addresses.map((_address, index) => {
    const account = simulation.execution.err === null ? simulation.after(addressParam(addresses, index)) : null;
    return account && encodeAccount(account, { encoding: encoding ?? 'base64' }, simulation.after);
  });
}

export const simulateMethods: RpcMethods = {
  simulateTransaction: (params, { view }) => {
    const request = config(params, 1, SimulateConfig);
    const transaction = decodeWire(param(params, 0, Text), request.encoding ?? 'base58');
    const commitment = checkedCommitment(view, request);
    const [sigVerify, replaceRecentBlockhash] = [request.sigVerify === true, request.replaceRecentBlockhash === true];
    if (sigVerify && replaceRecentBlockhash) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const simulation = simulate(view, transaction, { commitment, sigVerify, replaceRecentBlockhash });
    if (simulation.execution.err === 'SignatureFailure') {
      throw new RpcError(RPC_ERRORS.signatureVerificationFailure, 'Transaction signature verification failure');
    }
    return withContext(view, commitment, {
      ...simulationValue(simulation),
      accounts: request.accounts ? accountsAfter(simulation, request.accounts) : null,
      innerInstructions: request.innerInstructions === true ? innerInstructionsJson(simulation.execution.inner) : null,
    });
  },
};
