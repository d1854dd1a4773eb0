import {
  confirmedByQuorum,
  type Finding,
  foundByQuorum,
  saysUnknownMethod,
  TooFewOfferError,
} from './confirmed-by-quorum.ts';
import type { EndpointSet } from './endpoints.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { BundleSimulationShape, type SimulationAnswer, SimulationShape } from './shapes.ts';

export interface SimulationOptions {
  /** Default true; false allows zeroed signatures. */
  readonly verifySignatures?: boolean;
  /** Default `confirmed`. */
  readonly commitment?: 'processed' | 'confirmed' | 'finalized';
  /** True: a success needs a quorum too, where it decides that value is sent again and again. Default false. */
  readonly byQuorum?: boolean;
}

export interface BundleSimulationOptions extends SimulationOptions {
  /** Refuses a success by its compute units per transaction. */
  readonly isFine?: (unitsConsumed: readonly number[]) => boolean;
}

export interface Simulation {
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
}

/** `simulated`: transactions run: all, or only the first if too few endpoints offer `simulateBundle`. */
export type BundleSimulation =
  | { readonly ok: true; readonly simulated: number; readonly unitsConsumed: readonly number[] }
  | { readonly ok: false; readonly index: number; readonly err: unknown; readonly logs: readonly string[] };

/**
 * A success needs one endpoint, unless `byQuorum`, a failure a quorum: one that lags or lies ends nothing. Endpoints that do not know the
 * blockhash do not count.
 *
 * @throws RpcAnswerError for a malformed one
 * @throws RpcUnavailableError when too few confirm a refusal
 */
export async function simulateTransaction(
  endpoints: EndpointSet,
  wire: Uint8Array,
  options: SimulationOptions = {},
): Promise<Simulation> {
  const ask = (endpoint: RpcEndpoint) => simulateAt(endpoint, wire, options);
  const findingOf = ({ err }: Simulation) => (err === null ? 'success' : refusalOf(err));
  if (!options.byQuorum) return confirmedByQuorum(endpoints, ask, findingOf);
  const [found] = await foundByQuorum(endpoints, ask, findingOf);
  return found!;
}

function refusalOf(err: unknown): Finding {
  return JSON.stringify(err).includes('BlockhashNotFound') ? 'nothing' : 'refusal';
}

async function simulateAt(
  endpoint: RpcEndpoint,
  wire: Uint8Array,
  { verifySignatures = true, commitment = 'confirmed' }: SimulationOptions,
): Promise<Simulation> {
  const parameters = [toBase64(wire), { encoding: 'base64', sigVerify: verifySignatures, commitment }];
  const { value } = await endpoint.call('simulateTransaction', parameters, SimulationShape);
  return readSimulation(value);
}

/**
 * Simulates in sequence. A success that `isFine` rejects counts as a refusal. If fewer than a quorum offer the method,
 * only the first transaction is simulated: a bundle that fails later does not land at all.
 *
 * @throws as `simulateTransaction`
 */
export async function simulateBundle(
  endpoints: EndpointSet,
  wires: readonly Uint8Array[],
  { isFine = () => true, ...options }: BundleSimulationOptions = {},
): Promise<BundleSimulation> {
  const findingOf = (simulation: BundleSimulation): Finding => {
    if (simulation.ok) return isFine(simulation.unitsConsumed) ? 'success' : 'refusal';
    return refusalOf(simulation.err);
  };
  try {
    return await confirmedByQuorum(endpoints, (endpoint) => simulateWhole(endpoint, wires, options), findingOf);
  } catch (error) {
    if (!saysUnknownMethod(error) && !(error instanceof TooFewOfferError)) throw error;
    return confirmedByQuorum(endpoints, (endpoint) => simulateFirst(endpoint, wires, options), findingOf);
  }
}

async function simulateWhole(
  endpoint: RpcEndpoint,
  wires: readonly Uint8Array[],
  { verifySignatures = true, commitment = 'confirmed' }: SimulationOptions,
): Promise<BundleSimulation> {
  const none = wires.map(() => null);
  const { value } = await endpoint.call(
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
  );
  const results = value.transactionResults.map(readSimulation);
  if (value.summary === 'succeeded') {
    return { ok: true, simulated: results.length, unitsConsumed: results.map(({ unitsConsumed }) => unitsConsumed) };
  }
  // Those after the failed one did not run.
  const failed = results.findIndex(({ err }) => err !== null);
  const index = failed >= 0 ? failed : Math.min(results.length, wires.length - 1);
  return { ok: false, index, err: results[index]?.err ?? value.summary.failed.error, logs: results[index]?.logs ?? [] };
}

async function simulateFirst(
  endpoint: RpcEndpoint,
  wires: readonly Uint8Array[],
  options: SimulationOptions,
): Promise<BundleSimulation> {
  const [first] = wires;
  if (!first) throw new RangeError('a bundle without transactions cannot be simulated');
  const { err, logs, unitsConsumed } = await simulateAt(endpoint, first, options);
  return err === null ? { ok: true, simulated: 1, unitsConsumed: [unitsConsumed] } : { ok: false, index: 0, err, logs };
}

function readSimulation({ err, logs, unitsConsumed }: SimulationAnswer): Simulation {
  return { err: err ?? null, logs: logs ?? [], unitsConsumed: Number(unitsConsumed ?? 0) };
}

function toBase64(wire: Uint8Array): string {
  return Buffer.from(wire).toString('base64');
}
