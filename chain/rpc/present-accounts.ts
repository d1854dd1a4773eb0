import { setTimeout as sleep } from 'node:timers/promises';
import { type Said, saidOf } from './agreed-accounts.ts';
import { type EndpointSet, saidByQuorum } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';

/** Readings of an account that endpoints do not agree on, the first included. */
const READINGS = 4;

/** Between two of them, in ms: a few slots, so that who is a slot behind the other shows another state. */
const PAUSE_MS = 1_000;

/** What endpoints have said of a disputed address, over all readings. */
type Words = Map<RpcEndpoint, Set<boolean>>;

/**
 * At which of these addresses (base58) data lies, finalized, by a quorum: lamports alone are no account. Endpoints that are a slot apart
 * differ about an account that has just been opened or closed, so those are read again a few times. One of which a quorum shows both comes and
 * goes by its owner's doing, and counts as absent, so that nobody stops others by it.
 * @throws RpcUnavailableError when fewer than a quorum answer, or endpoints stand by different words.
 */
export async function presentAccounts(endpoints: EndpointSet, addresses: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>();
  const heard = new Map<string, Words>();
  let open = addresses;
  for (let reading = 1; open.length > 0 && reading <= READINGS; reading++) {
    if (reading > 1) await sleep(PAUSE_MS);
    const disputed: string[] = [];
    for (const [address, said] of await saidOf(endpoints, open, 'finalized')) {
      const isPresent = saidByQuorum(endpoints, said.map(hasData));
      if (isPresent === true) present.add(address);
      if (isPresent !== undefined) continue;
      disputed.push(address);
      for (const one of said) wordsOf(heard, address, one.endpoint).add(hasData(one));
    }
    open = disputed;
  }
  const contradicted = open.filter((address) => !comesAndGoes(endpoints, heard.get(address)));
  const [first] = contradicted;
  if (first === undefined) return present;
  throw new RpcUnavailableError(
    `no quorum of RPC endpoints says the same of whether ${contradicted.length} of ${addresses.length} accounts are there, such as ${first}`,
  );
}

function hasData({ account }: Said): boolean {
  return account !== null && account.data[0].length > 0;
}

function wordsOf(heard: Map<string, Words>, address: string, endpoint: RpcEndpoint): Set<boolean> {
  const words = heard.get(address) ?? new Map<RpcEndpoint, Set<boolean>>();
  heard.set(address, words);
  const own = words.get(endpoint) ?? new Set<boolean>();
  words.set(endpoint, own);
  return own;
}

/** One endpoint alone may say now this, now that of an account which never changed. */
function comesAndGoes({ quorum }: EndpointSet, words: Words = new Map()): boolean {
  return [...words.values()].filter(({ size }) => size === 2).length >= quorum;
}
