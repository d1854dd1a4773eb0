import { type EndpointSet, quorumAnswersOf, saidByQuorum } from './endpoints.ts';
import { RpcUnavailableError } from './json-rpc.ts';
import { LamportsShape } from './shapes.ts';

/** How long endpoints are waited for once one has answered, in ms. */
const GRACE_MS = 2_000;

/** How long rents are kept, in ms: they change with a new version of the chain. */
const KEPT_MS = 60_000;

/** Reads rents, each once in a while. */
export interface RentReader {
  /**
   * What an account of so many bytes has to hold for ever, lamports, as a quorum of endpoints says it: creators and holders pay by it.
   * @throws RpcUnavailableError when no quorum answers, or says the same.
   */
  read(bytes: number): Promise<bigint>;
}

/** Makes one; `now` is a clock in ms. */
export function createRentReader(endpoints: EndpointSet, now: () => number): RentReader {
  const kept = new Map<number, { readonly at: number; readonly rent: Promise<bigint> }>();
  return {
    read(bytes) {
      const known = kept.get(bytes);
      if (known && now() - known.at < KEPT_MS) return known.rent;
      const asked = { at: now(), rent: agreedRent(endpoints, bytes) };
      kept.set(bytes, asked);
      // A failure is not kept.
      asked.rent.catch(() => kept.get(bytes) === asked && kept.delete(bytes));
      return asked.rent;
    },
  };
}

async function agreedRent(endpoints: EndpointSet, bytes: number): Promise<bigint> {
  const replies = await endpoints.promptReplies(
    (endpoint) => endpoint.call('getMinimumBalanceForRentExemption', [bytes], LamportsShape),
    GRACE_MS,
  );
  const said = quorumAnswersOf(endpoints, replies, `what the rent of ${bytes} bytes is`);
  const agreed = saidByQuorum(endpoints, said);
  if (agreed !== undefined) return BigInt(agreed);
  throw new RpcUnavailableError(`no quorum of RPC endpoints says the same rent of ${bytes} bytes: ${said.join(', ')}`);
}
