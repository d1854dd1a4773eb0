import { borneOut, type Finding, saysUnknownMethod, TooFewOfferError } from './borne-out.ts';
import type { EndpointSet } from './endpoints.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { BundleSimulationShape, type SimulationAnswer, SimulationShape } from './shapes.ts';

/** How a transaction is simulated. */
export interface SimulationOptions {
  /** Whether signatures are checked; default true. Off, a transaction whose signatures are zeroed can be tried. */
  readonly verifySignatures?: boolean;
  /** Bank it runs on; default `confirmed`. */
  readonly commitment?: 'processed' | 'confirmed' | 'finalized';
}

/** How a bundle is simulated. */
export interface BundleSimulationOptions extends SimulationOptions {
  /** Whether a bundle that succeeds with so many compute units, one figure for each transaction, is taken; default: always. */
  readonly isFine?: (unitsConsumed: readonly number[]) => boolean;
}

/** What a transaction would do. */
export interface Simulation {
  /** The chain's TransactionError; null when it would succeed. */
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
}

/**
 * What a bundle would do. `simulated` is how many of its transactions were run: all of them, or only the first where too few
 * endpoints offer `simulateBundle`, because each of the others reads what its predecessor writes.
 */
export type BundleSimulation =
  | { readonly ok: true; readonly simulated: number; readonly unitsConsumed: readonly number[] }
  | { readonly ok: false; readonly index: number; readonly err: unknown; readonly logs: readonly string[] };

/**
 * Simulates one transaction. That it would succeed is one endpoint's word, that it would fail a quorum's: one that lags, or lies,
 * ends nothing, and one that does not know the blockhash has no say. @throws RpcAnswerError for a malformed one, RpcUnavailableError when no endpoint answers, or too few of those that
 * would have to bear a refusal out.
 */
export async function simulateTransaction(
  endpoints: EndpointSet,
  wire: Uint8Array,
  options: SimulationOptions = {},
): Promise<Simulation> {
  return borneOut(
    endpoints,
    (endpoint) => simulateAt(endpoint, wire, options),
    ({ err }) => (err === null ? 'success' : refusalOf(err)),
  );
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
 * Simulates transactions one upon the other; what is refused is a quorum's word, as of one transaction. A success that `isFine` does
 * not take counts as a refusal. Endpoints that do not know the blockhash have no say. Where fewer than a quorum offer it their refusal
 * is not enough, and the first transaction alone decides: a bundle that fails later lands not at all.
 * @throws like `simulateTransaction`.
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
    return await borneOut(endpoints, (endpoint) => simulateWhole(endpoint, wires, options), findingOf);
  } catch (error) {
    if (!saysUnknownMethod(error) && !(error instanceof TooFewOfferError)) throw error;
    return borneOut(endpoints, (endpoint) => simulateFirst(endpoint, wires, options), findingOf);
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
  // Transactions after the failed one were not run and have no result.
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
