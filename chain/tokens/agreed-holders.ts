import type { PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { errorText } from '../../domain/error-text.ts';
import type { EndpointSet } from '../rpc/endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from '../rpc/json-rpc.ts';
import { addBalance, holderQuery } from './holders.ts';

/** Which token's holders, and at which slot at the earliest. */
export interface HoldersQuestion {
  readonly mint: PublicKey;
  readonly tokenProgram: PublicKey;
  readonly minContextSlot: number;
  /** Default `finalized`. */
  readonly commitment?: 'confirmed' | 'finalized';
}

/** What owners hold of a token, as far as a quorum of endpoints bears it out. */
export interface AgreedHolders {
  /** Raw units above zero, by owner (base58). */
  readonly balances: ReadonlyMap<string, bigint>;
  /** Slot that a quorum had reached at the commitment. */
  readonly slot: number;
  /** Owners of whom not all endpoints said the same. */
  readonly disputed: number;
}

type Testimony = Pick<AgreedHolders, 'balances' | 'slot'>;

const AccountsShape = Compile(
  Type.Object({
    context: Type.Object({ slot: Type.Integer({ minimum: 0 }) }),
    value: Type.Array(
      Type.Object({ account: Type.Object({ data: Type.Tuple([Type.String(), Type.Literal('base64')]) }) }),
    ),
  }),
);

/**
 * The holders of a token, from every endpoint. Endpoints answer of slots that differ a little, and a coin is traded meanwhile, so they
 * need not say the same: a balance counts as far as a quorum says that it is at least as much. One endpoint alone makes nobody a
 * greater holder, and where there are three, nobody a smaller one.
 * @throws RpcUnavailableError when fewer than a quorum answered.
 */
export async function agreedHolders(endpoints: EndpointSet, question: HoldersQuestion): Promise<AgreedHolders> {
  const replies = await endpoints.everyReply((endpoint) => testimonyOf(endpoint, question));
  const said = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
  if (said.length < endpoints.quorum) {
    const reasons = replies.flatMap((reply) => (reply.ok ? [] : [errorText(reply.error)]));
    const { mint, minContextSlot } = question;
    const who = `${said.length} of ${endpoints.quorum} RPC endpoints`;
    throw new RpcUnavailableError(
      `${who} say who holds ${mint.toBase58()} at slot ${minContextSlot}: ${reasons.join('; ')}`,
    );
  }
  return agreement(said, endpoints.quorum);
}

async function testimonyOf(
  endpoint: RpcEndpoint,
  { mint, tokenProgram, minContextSlot, commitment = 'finalized' }: HoldersQuestion,
): Promise<Testimony> {
  const how = { commitment, encoding: 'base64', withContext: true, minContextSlot };
  const params = [tokenProgram.toBase58(), { ...how, ...holderQuery(mint, tokenProgram) }];
  const { context, value } = await endpoint.call('getProgramAccounts', params, AccountsShape);
  if (context.slot < minContextSlot) {
    throw new RangeError(`${endpoint.name} answered slot ${context.slot}, older than ${minContextSlot}`);
  }
  const balances = new Map<string, bigint>();
  for (const { account } of value) addBalance(balances, Buffer.from(account.data[0], 'base64'));
  return { balances, slot: context.slot };
}

function agreement(said: readonly Testimony[], quorum: number): AgreedHolders {
  const balances = new Map<string, bigint>();
  let disputed = 0;
  for (const owner of new Set(said.flatMap((one) => [...one.balances.keys()]))) {
    const amounts = said.map((one) => one.balances.get(owner) ?? 0n);
    const borneOut = reachedBy(quorum, amounts);
    if (borneOut > 0n) balances.set(owner, borneOut);
    if (amounts.some((amount) => amount !== borneOut)) disputed += 1;
  }
  const slots = said.map(({ slot }) => BigInt(slot));
  return { balances, slot: Number(reachedBy(quorum, slots)), disputed };
}

/** The greatest number that so many of these reach. */
function reachedBy(quorum: number, numbers: readonly bigint[]): bigint {
  return numbers.toSorted((a, b) => (a === b ? 0 : a > b ? -1 : 1))[quorum - 1] ?? 0n;
}
