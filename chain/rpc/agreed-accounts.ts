import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { answersOf, type EndpointSet } from './endpoints.ts';
import type { RpcEndpoint } from './json-rpc.ts';

/** An account as a quorum of endpoints has it. */
export interface AgreedAccount {
  readonly lamports: bigint;
  /** Program that it belongs to, base58. */
  readonly owner: string;
  readonly data: Buffer;
}

/** `getMultipleAccounts` takes at most this many. */
const ACCOUNTS_PER_CALL = 100;

/** How long endpoints are waited for once one has answered, in ms. */
const GRACE_MS = 2_000;

const AccountSchema = Type.Object({
  lamports: Type.Union([Type.Integer({ minimum: 0 }), Type.BigInt()]),
  owner: Type.String(),
  data: Type.Tuple([Type.String(), Type.Literal('base64')]),
});
type Account = Type.Static<typeof AccountSchema>;

const OwnedAccountsShape = Compile(
  Type.Object({
    context: Type.Object({ slot: Type.Integer({ minimum: 0 }) }),
    value: Type.Array(Type.Union([Type.Null(), AccountSchema])),
  }),
);

/**
 * The finalized accounts at these addresses (base58), each as a quorum of endpoints has it; null where a quorum says that there
 * is none. An address of which no quorum says the same is left out. One call to each endpoint for each hundred addresses.
 * @throws RpcUnavailableError when no endpoint answered.
 */
export async function agreedAccounts(
  endpoints: EndpointSet,
  addresses: readonly string[],
): Promise<Map<string, AgreedAccount | null>> {
  const unique = [...new Set(addresses)];
  const agreed = new Map<string, AgreedAccount | null>();
  for (let at = 0; at < unique.length; at += ACCOUNTS_PER_CALL) {
    const page = unique.slice(at, at + ACCOUNTS_PER_CALL);
    const said = answersOf(await endpoints.promptReplies((endpoint) => pageOf(endpoint, page), GRACE_MS));
    page.forEach((address, index) => {
      const accounts = said.map((accounts) => accounts[index] ?? null);
      const one = accounts.find((account) => timesSaid(accounts, account) >= endpoints.quorum);
      if (one !== undefined) agreed.set(address, one && decoded(one));
    });
  }
  return agreed;
}

async function pageOf(endpoint: RpcEndpoint, page: readonly string[]): Promise<(Account | null)[]> {
  const options = { commitment: 'finalized', encoding: 'base64' };
  const { value } = await endpoint.call('getMultipleAccounts', [page, options], OwnedAccountsShape);
  if (value.length !== page.length) {
    throw new RangeError(`${endpoint.name} answered ${value.length} accounts, ${page.length} were asked for`);
  }
  return value;
}

function timesSaid(accounts: readonly (Account | null)[], account: Account | null): number {
  return accounts.filter((other) => factsOf(other) === factsOf(account)).length;
}

function factsOf(account: Account | null): string {
  return account === null ? '' : [account.lamports, account.owner, account.data[0]].join();
}

function decoded({ lamports, owner, data }: Account): AgreedAccount {
  return { lamports: BigInt(lamports), owner, data: Buffer.from(data[0], 'base64') };
}
