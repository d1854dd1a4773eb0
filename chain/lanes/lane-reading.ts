import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { batchesOf } from '../../domain/batches.ts';
import { answersOf, type Ask, type EndpointSet } from '../rpc/endpoints.ts';
import type { RpcEndpoint } from '../rpc/json-rpc.ts';
import { EpochInfoShape } from '../rpc/shapes.ts';
import { numberOf } from './lane-secret.ts';

export interface LaneValues {
  /** By mint, base58; null without one. */
  readonly values: ReadonlyMap<string, bigint | null>;
}

/** The values are at least as new as slot and height. */
export interface LaneTestimony extends LaneValues {
  readonly slot: number;
  readonly blockHeight: number;
}

export interface LaneReading<Testimony extends LaneValues = LaneTestimony> {
  readonly testimonies: readonly Testimony[];
  readonly quorum: number;
}

/** (spl-token, state.rs) */
const SUPPLY = { offset: 36, length: 8 };

const MINTS_PER_CALL = 100;

/** Wait for other endpoints, ms; a value needs a quorum. */
const GRACE_MS = 1_000;

const Slice = Type.Object({ data: Type.Tuple([Type.String(), Type.Literal('base64')]) });
const SuppliesShape = Compile(
  Type.Object({
    context: Type.Object({ slot: Type.Integer({ minimum: 0 }) }),
    value: Type.Array(Type.Union([Type.Null(), Slice])),
  }),
);

/**
 * Reads lanes from every endpoint: two calls, plus one per further hundred mints.
 *
 * @throws RpcUnavailableError without a response
 */
export async function readLanes(endpoints: EndpointSet, mints: readonly string[]): Promise<LaneReading> {
  return readBy(endpoints, mints, (endpoint) => testimonyOf(endpoint, mints));
}

/** Reads the height first: a lane with its old value afterwards had it at that height. */
async function testimonyOf(endpoint: RpcEndpoint, mints: readonly string[]): Promise<LaneTestimony> {
  const { absoluteSlot: slot, blockHeight } = await endpoint.call(
    'getEpochInfo',
    [{ commitment: 'finalized' }],
    EpochInfoShape,
  );
  return { slot, blockHeight, values: await valuesAt(endpoint, mints, slot) };
}

/**
 * Reads values without slot and height, a call less. No value is older than `sinceSlot`.
 *
 * @throws RpcUnavailableError without a response
 */
export async function readLaneValues(
  endpoints: EndpointSet,
  mints: readonly string[],
  sinceSlot: number,
): Promise<LaneReading<LaneValues>> {
  return readBy(endpoints, mints, async (endpoint) => ({ values: await valuesAt(endpoint, mints, sinceSlot) }));
}

async function readBy<Testimony extends LaneValues>(
  endpoints: EndpointSet,
  mints: readonly string[],
  ask: Ask<Testimony>,
): Promise<LaneReading<Testimony>> {
  const { quorum } = endpoints;
  const isDecided = (testimonies: readonly Testimony[]) =>
    mints.every((mint) => agreedValue({ testimonies, quorum }, mint) !== null);
  const replies = await endpoints.quorumReplies(ask, { graceMs: GRACE_MS, isDecided });
  return { testimonies: answersOf(replies), quorum };
}

async function valuesAt(endpoint: RpcEndpoint, mints: readonly string[], sinceSlot: number) {
  const pages = batchesOf(mints, MINTS_PER_CALL);
  const supplies = (await Promise.all(pages.map((page) => suppliesOf(endpoint, page, sinceSlot)))).flat();
  return new Map(mints.map((mint, index) => [mint, supplies[index] ?? null]));
}

async function suppliesOf(endpoint: RpcEndpoint, mints: readonly string[], slot: number): Promise<(bigint | null)[]> {
  const options = { commitment: 'finalized', encoding: 'base64', dataSlice: SUPPLY, minContextSlot: slot };
  const { context, value } = await endpoint.call('getMultipleAccounts', [mints, options], SuppliesShape);
  // Several nodes may serve one address.
  if (context.slot < slot) throw new RangeError(`${endpoint.name} answered slot ${context.slot}, older than ${slot}`);
  return value.map((account) => (account === null ? null : supplyIn(Buffer.from(account.data[0], 'base64'))));
}

function supplyIn(bytes: Buffer): bigint | null {
  return bytes.length === SUPPLY.length ? bytes.readBigUInt64LE() : null;
}

/** Value of a lane by its mint's account. */
export function supplyOf(account: Buffer): bigint | null {
  return supplyIn(account.subarray(SUPPLY.offset, SUPPLY.offset + SUPPLY.length));
}

/** Null without a quorum; the later of two. */
export function agreedValue({ testimonies, quorum }: LaneReading<LaneValues>, mint: string): bigint | null {
  const said = testimonies.flatMap(({ values }) => values.get(mint) ?? []);
  const agreed = said.filter((value) => said.filter((other) => other === value).length >= quorum);
  return agreed.reduce<bigint | null>(
    (latest, value) => (latest === null || numberOf(value) > numberOf(latest) ? value : latest),
    null,
  );
}
