import { createEndpoint, type RpcEndpoint } from '../../../../chain/rpc/json-rpc.ts';
import { SlotShape, TextShape } from '../../../../chain/rpc/shapes.ts';
import { errorText } from '../../../../domain/error-text.ts';
import { publicClusterOf } from '../../../../domain/network.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** Largest lag; beyond it an endpoint shows everything a minute late. */
const MOST_LAG_SLOTS = 150;

/** Findings and the common chain; null if no endpoint responds or they differ. */
export interface RpcLook {
  readonly findings: readonly Finding[];
  readonly genesisHash: string | null;
}

type Answer = { readonly endpoint: RpcEndpoint } & (
  | { readonly genesisHash: string; readonly slot: number }
  | { readonly failure: string }
);
type Answered = Extract<Answer, { readonly slot: number }>;

export async function lookAtRpc(urls: readonly string[]): Promise<RpcLook> {
  const endpoints = urls.map((url, index) => createEndpoint({ url, index, timeoutMs: TIMEOUT_MS, fetch }));
  const answers = await Promise.all(endpoints.map(ask));
  const answered = answers.filter((answer): answer is Answered => 'slot' in answer);
  const newest = Math.max(...answered.map(({ slot }) => slot));
  const chains = [...new Set(answered.map(({ genesisHash }) => genesisHash))];
  const [genesisHash = null, ...others] = chains;
  const findings = [...answers.map((answer) => findingOf(answer, newest)), quorumFinding(urls, answered)];
  if (others.length === 0) return { findings: [...findings, ...chainFinding(genesisHash)], genesisHash };
  const what = `endpoints are of different chains: genesis hashes ${chains.join(', ')}`;
  return { findings: [...findings, problem('rpc', what, 'correct SOLANA_RPC_URL')], genesisHash: null };
}

async function ask(endpoint: RpcEndpoint): Promise<Answer> {
  try {
    const [genesisHash, slot] = await Promise.all([
      endpoint.call('getGenesisHash', [], TextShape),
      endpoint.call('getSlot', [{ commitment: 'confirmed' }], SlotShape),
    ]);
    return { endpoint, genesisHash, slot };
  } catch (error) {
    return { endpoint, failure: errorText(error) };
  }
}

function findingOf(answer: Answer, newest: number): Finding {
  const { name } = answer.endpoint;
  if ('failure' in answer) return problem('rpc', answer.failure, 'replace the endpoint in SOLANA_RPC_URL, or its key');
  const lag = newest - answer.slot;
  if (lag <= MOST_LAG_SLOTS) return ok('rpc', `${name} answers, ${lag} slots behind the first`);
  return problem('rpc', `${name} is ${lag} slots behind the first`, 'replace it: it answers for the past');
}

/** Decisions about money need two, if two are configured. */
function quorumFinding(urls: readonly string[], answered: readonly Answered[]): Finding {
  const needed = Math.min(2, urls.length);
  if (answered.length < needed) {
    const what = `${answered.length} of ${urls.length} endpoints answer, ${needed} must agree before money moves`;
    return problem('quorum', what, 'restore an endpoint, or add one to SOLANA_RPC_URL');
  }
  if (urls.length === 1) return note('quorum', 'one endpoint alone is believed; mainnet takes two of different hosts');
  const spare = answered.length - needed;
  return ok(
    'quorum',
    spare === 0 ? 'both endpoints are needed; with a third, one may be away' : `${spare} may be away`,
  );
}

function chainFinding(genesisHash: string | null): Finding[] {
  if (genesisHash === null) return [];
  return [ok('chain', `${publicClusterOf(genesisHash) ?? 'a chain of its own'}, genesis hash ${genesisHash}`)];
}
