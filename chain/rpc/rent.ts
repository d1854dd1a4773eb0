import { type EndpointSet, quorumAnswersOf, agreedByQuorum } from './endpoints.ts';
import { RpcUnavailableError } from './json-rpc.ts';
import { LamportsShape } from './shapes.ts';

const GRACE_MS = 2_000;

/** ms; rents change only with a version of the chain. */
const KEPT_MS = 60_000;

export interface RentReader {
  /**
   * Rent-exempt minimum of so many bytes, lamports, by a quorum: creators and holders pay it.
   *
   * @throws RpcUnavailableError without one
   */
  read(bytes: number): Promise<bigint>;
}

export function createRentReader(endpoints: EndpointSet, now: () => number): RentReader {
  const kept = new Map<number, { readonly at: number; readonly rent: Promise<bigint> }>();
  return {
    read(bytes) {
      const known = kept.get(bytes);
      if (known && now() - known.at < KEPT_MS) return known.rent;
      const asked = { at: now(), rent: agreedRent(endpoints, bytes) };
      kept.set(bytes, asked);
      // A failure is not cached.
      asked.rent.catch(() => kept.get(bytes) === asked && kept.delete(bytes));
      return asked.rent;
    },
  };
}

async function agreedRent(endpoints: EndpointSet, bytes: number): Promise<bigint> {
  const replies = await endpoints.quorumReplies(
    (endpoint) => endpoint.call('getMinimumBalanceForRentExemption', [bytes], LamportsShape),
    { graceMs: GRACE_MS, isDecided: (said) => agreedByQuorum(endpoints, said) !== undefined },
  );
  const said = quorumAnswersOf(endpoints, replies, `what the rent of ${bytes} bytes is`);
  const agreed = agreedByQuorum(endpoints, said);
  if (agreed !== undefined) return BigInt(agreed);
  throw new RpcUnavailableError(`no quorum of RPC endpoints says the same rent of ${bytes} bytes: ${said.join(', ')}`);
}
