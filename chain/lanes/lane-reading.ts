import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { batchesOf } from '../../domain/batches.ts';
import { answersOf, type EndpointSet } from '../rpc/endpoints.ts';
import type { RpcEndpoint } from '../rpc/json-rpc.ts';
import { EpochInfoShape } from '../rpc/shapes.ts';
import { numberOf } from './lane-secret.ts';

/** What one endpoint says that lanes stand at, finalized. */
export interface LaneValues {
  /** Supply by mint, base58; null where there is no such mint. */
  readonly values: ReadonlyMap<string, bigint | null>;
}

/** The same with the finalized slot and block height that the values are not older than. */
export interface LaneTestimony extends LaneValues {
  readonly slot: number;
  readonly blockHeight: number;
}

/** What all endpoints that answered say of lanes. */
export interface LaneReading<Testimony extends LaneValues = LaneTestimony> {
  readonly testimonies: readonly Testimony[];
  /** As many as have to agree. */
  readonly quorum: number;
}

/** Offset and length of the supply in a mint (spl-token, state.rs). */
const SUPPLY = { offset: 36, length: 8 };

/** `getMultipleAccounts` takes at most this many. */
const MINTS_PER_CALL = 100;

/** How long endpoints are waited for once one has answered, in ms: a value counts only where a quorum says it. */
const GRACE_MS = 1_000;

const Slice = Type.Object({ data: Type.Tuple([Type.String(), Type.Literal('base64')]) });
const SuppliesShape = Compile(
  Type.Object({
    context: Type.Object({ slot: Type.Integer({ minimum: 0 }) }),
    value: Type.Array(Type.Union([Type.Null(), Slice])),
  }),
);

/**
 * Asks every endpoint for the finalized supplies of mints: two calls each, or one more for each further hundred.
 * @throws RpcUnavailableError when no endpoint answered.
 */
export async function readLanes(endpoints: EndpointSet, mints: readonly string[]): Promise<LaneReading> {
  const replies = await endpoints.promptReplies((endpoint) => testimonyOf(endpoint, mints), GRACE_MS);
  return { testimonies: answersOf(replies), quorum: endpoints.quorum };
}

/** The height is read first: a lane that still has its old value afterwards had it at that height. */
async function testimonyOf(endpoint: RpcEndpoint, mints: readonly string[]): Promise<LaneTestimony> {
  const { absoluteSlot: slot, blockHeight } = await endpoint.call(
    'getEpochInfo',
    [{ commitment: 'finalized' }],
    EpochInfoShape,
  );
  return { slot, blockHeight, values: await valuesAt(endpoint, mints, slot) };
}

/**
 * The same without slot and height, one call less each, for who asks only where lanes stand. No value is of a slot before `sinceSlot`.
 * @throws RpcUnavailableError when no endpoint answered.
 */
export async function readLaneValues(
  endpoints: EndpointSet,
  mints: readonly string[],
  sinceSlot: number,
): Promise<LaneReading<LaneValues>> {
  const ask = async (endpoint: RpcEndpoint) => ({ values: await valuesAt(endpoint, mints, sinceSlot) });
  return { testimonies: answersOf(await endpoints.promptReplies(ask, GRACE_MS)), quorum: endpoints.quorum };
}

async function valuesAt(endpoint: RpcEndpoint, mints: readonly string[], sinceSlot: number) {
  const pages = batchesOf(mints, MINTS_PER_CALL);
  const supplies = (await Promise.all(pages.map((page) => suppliesOf(endpoint, page, sinceSlot)))).flat();
  return new Map(mints.map((mint, index) => [mint, supplies[index] ?? null]));
}

async function suppliesOf(endpoint: RpcEndpoint, mints: readonly string[], slot: number): Promise<(bigint | null)[]> {
  const options = { commitment: 'finalized', encoding: 'base64', dataSlice: SUPPLY, minContextSlot: slot };
  const { context, value } = await endpoint.call('getMultipleAccounts', [mints, options], SuppliesShape);
  // Calls to one address may be served by different nodes.
  if (context.slot < slot) throw new RangeError(`${endpoint.name} answered slot ${context.slot}, older than ${slot}`);
  return value.map((account) => (account === null ? null : supplyIn(account.data[0])));
}

function supplyIn(base64: string): bigint | null {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === SUPPLY.length ? bytes.readBigUInt64LE() : null;
}

/** The value of a lane that a quorum of endpoints says; null where there is none. The later one where two have a quorum. */
export function agreedValue({ testimonies, quorum }: LaneReading<LaneValues>, mint: string): bigint | null {
  const said = testimonies.flatMap(({ values }) => values.get(mint) ?? []);
  const agreed = said.filter((value) => said.filter((other) => other === value).length >= quorum);
  return agreed.reduce<bigint | null>(
    (latest, value) => (latest === null || numberOf(value) > numberOf(latest) ? value : latest),
    null,
  );
}
