import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';
import { type LookupAll, resolvedLookup } from './resolved-lookup.ts';

export class RefusedAddressError extends Error {
  constructor(host: string, address: string) {
    super(`${host} leads to ${address}, which is not an address of the public internet`);
    this.name = 'RefusedAddressError';
  }
}

export interface PublicAgentOptions {
  readonly connectMs: number;
  /** Also accepts this machine's addresses and plain http to them, for a local stack. */
  readonly loopback: boolean;
  /** Default: name servers; with `loopback` the system's, which knows this machine's names. */
  readonly lookup?: LookupAll;
}

type Allowed = (address: string) => boolean;

/**
 * Connects only to public addresses. Each connection resolves the name itself and connects to the addresses that it
 * checked, so that a DNS response cannot change between check and connection. It follows no proxy and no redirect.
 */
export function createPublicAgent({ connectMs, loopback, ...options }: PublicAgentOptions): Agent {
  const lookup = options.lookup ?? (loopback ? systemLookup : resolvedLookup());
  const isOwn: Allowed = (address) => loopback && isLoopback(address);
  const secure: Allowed = (address) => isPublicAddress(address) || isOwn(address);
  const connectorOf = (allowed: Allowed) => ({
    allowed,
    connect: buildConnector({ timeout: connectMs, lookup: checkedLookup(lookup, allowed) }),
  });
  const connectors = { secure: connectorOf(secure), plain: connectorOf(isOwn) };
  return new Agent({
    connect: (options, done) => {
      const { allowed, connect } = options.protocol === 'https:' ? connectors.secure : connectors.plain;
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
      // The system connects to an address in a URL without a lookup.
      if (isIP(host) !== 0 && !allowed(host)) return done(new RefusedAddressError(options.hostname, host), null);
      return connect(options, done);
    },
  });
}

function checkedLookup(lookup: LookupAll, allowed: Allowed): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const refused = addresses.find(({ address }) => !allowed(address));
      if (refused) return done(new RefusedAddressError(host, refused.address), []);
      const [first] = addresses;
      if (!first) return done(new Error(`${host} has no address`), []);
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address);
}
