import { setTimeout as sleep } from 'node:timers/promises';
import { type Said, saidOf } from './agreed-accounts.ts';
import { type EndpointSet, agreedByQuorum } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';

/** Reads of a disputed account, including the first. */
const READINGS = 4;

/** ms: a few slots. */
const PAUSE_MS = 1_000;

type Words = Map<RpcEndpoint, Set<boolean>>;

/**
 * The addresses (base58) with finalized data, by a quorum; lamports alone do not count. Endpoints a slot apart differ
 * on accounts just opened or closed: those are read again. One that keeps changing counts as absent, so that its owner
 * cannot block others.
 *
 * @throws RpcUnavailableError when fewer than a quorum respond, or endpoints keep contradicting each other
 */
export async function presentAccounts(endpoints: EndpointSet, addresses: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>();
  const heard = new Map<string, Words>();
  let open = addresses;
  for (let reading = 1; open.length > 0 && reading <= READINGS; reading++) {
    if (reading > 1) await sleep(PAUSE_MS);
    const disputed: string[] = [];
    for (const [address, said] of await saidOf(endpoints, open, 'finalized')) {
      const isPresent = agreedByQuorum(endpoints, said.map(hasData));
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

/** True if a quorum reports both states: one endpoint may alternate on an account that never changed. */
function comesAndGoes({ quorum }: EndpointSet, words: Words = new Map()): boolean {
  return [...words.values()].filter(({ size }) => size === 2).length >= quorum;
}
