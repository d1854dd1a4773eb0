import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Resolves a name to all its addresses, as `dns.lookup` does. */
export type LookupAll = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Bounds of one question to a name server. */
const QUESTION = { timeout: 2_000, tries: 2 };

/**
 * Asks name servers over sockets. `dns.lookup` waits in one of a process's few threads: two names whose servers never
 * answer would keep all others, such as those of RPC endpoints, waiting.
 *
 * @param servers default: those of the system
 */
export function resolvedLookup(servers?: readonly string[]): LookupAll {
  const resolver = new Resolver(QUESTION);
  if (servers) resolver.setServers(servers);
  return (host, _options, done) => {
    addressesOf(resolver, host).then(
      (addresses) => done(null, addresses),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

/** @throws the error of IPv4 where the name has no address */
async function addressesOf(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
  return addresses;
}
