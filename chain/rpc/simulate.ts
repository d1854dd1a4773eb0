import type { EndpointSet } from './endpoints.ts';
import { RpcAnswerError } from './json-rpc.ts';
import { BundleSimulationShape, type SimulationAnswer, SimulationShape } from './shapes.ts';

/** How a transaction is simulated. */
export interface SimulationOptions {
  /** Whether signatures are checked; default true. Off, a transaction whose signatures are zeroed can be tried. */
  readonly verifySignatures?: boolean;
  /** Bank it runs on; default `confirmed`. */
  readonly commitment?: 'processed' | 'confirmed' | 'finalized';
}

/** What a transaction would do. */
export interface Simulation {
  /** The chain's TransactionError; null when it would succeed. */
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
}

/**
 * What a bundle would do. `simulated` is how many of its transactions were run: all of them, or only the first where no
 * endpoint offers `simulateBundle`, because each of the others reads what its predecessor writes.
 */
export type BundleSimulation =
  | { readonly ok: true; readonly simulated: number; readonly unitsConsumed: readonly number[] }
  | { readonly ok: false; readonly index: number; readonly err: unknown; readonly logs: readonly string[] };

const METHOD_NOT_FOUND = -32_601;

/** Simulates one transaction. @throws RpcAnswerError for a malformed one, RpcUnavailableError when no endpoint answers. */
export async function simulateTransaction(
  endpoints: EndpointSet,
  wire: Uint8Array,
  options: SimulationOptions = {},
): Promise<Simulation> {
  const { verifySignatures = true, commitment = 'confirmed' } = options;
  const parameters = [toBase64(wire), { encoding: 'base64', sigVerify: verifySignatures, commitment }];
  const { value } = await endpoints.read((endpoint) =>
    endpoint.call('simulateTransaction', parameters, SimulationShape),
  );
  return readSimulation(value);
}

/** Simulates transactions one upon the other. @throws like `simulateTransaction`. */
export async function simulateBundle(
  endpoints: EndpointSet,
  wires: readonly Uint8Array[],
  options: SimulationOptions = {},
): Promise<BundleSimulation> {
  try {
    return await simulateWhole(endpoints, wires, options);
  } catch (error) {
    if (!(error instanceof RpcAnswerError && error.code === METHOD_NOT_FOUND)) throw error;
    return simulateFirst(endpoints, wires, options);
  }
}

async function simulateWhole(
  endpoints: EndpointSet,
  wires: readonly Uint8Array[],
  { verifySignatures = true, commitment = 'confirmed' }: SimulationOptions,
): Promise<BundleSimulation> {
  const none = wires.map(() => null);
  const { value } = await endpoints.read((endpoint) =>
    endpoint.call(
      'simulateBundle',
      [
        { encodedTransactions: wires.map(toBase64) },
        {
          preExecutionAccountsConfigs: none,
          postExecutionAccountsConfigs: none,
          transactionEncoding: 'base64',
          skipSigVerify: !verifySignatures,
          simulationBank: { commitment: { commitment } },
        },
      ],
      BundleSimulationShape,
    ),
  );
  const results = value.transactionResults.map(readSimulation);
  if (value.summary === 'succeeded') {
    return { ok: true, simulated: results.length, unitsConsumed: results.map(({ unitsConsumed }) => unitsConsumed) };
  }
  // Transactions after the failed one were not run and have no result.
  const failed = results.findIndex(({ err }) => err !== null);
  const index = failed >= 0 ? failed : Math.min(results.length, wires.length - 1);
  return { ok: false, index, err: results[index]?.err ?? value.summary.failed.error, logs: results[index]?.logs ?? [] };
}

async function simulateFirst(
  endpoints: EndpointSet,
  wires: readonly Uint8Array[],
  options: SimulationOptions,
): Promise<BundleSimulation> {
  const [first] = wires;
  if (!first) throw new RangeError('a bundle without transactions cannot be simulated');
  const { err, logs, unitsConsumed } = await simulateTransaction(endpoints, first, options);
  return err === null ? { ok: true, simulated: 1, unitsConsumed: [unitsConsumed] } : { ok: false, index: 0, err, logs };
}

function readSimulation({ err, logs, unitsConsumed }: SimulationAnswer): Simulation {
  return { err: err ?? null, logs: logs ?? [], unitsConsumed: Number(unitsConsumed ?? 0) };
}

function toBase64(wire: Uint8Array): string {
  return Buffer.from(wire).toString('base64');
}
