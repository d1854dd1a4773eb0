import { answersOf, type EndpointSet, agreedByQuorum } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { BlockShape } from './shapes.ts';

export interface Block {
  readonly blockhash: string;
  readonly blockHeight: number;
}

/** Lifetime of a blockhash, in blocks. */
export const BLOCKHASH_BLOCKS = 150;

const BLOCK_CONFIG = {
  commitment: 'confirmed',
  transactionDetails: 'none',
  rewards: false,
  maxSupportedTransactionVersion: 0,
};

/** ms: checks against a block need a second endpoint. */
const BLOCK_GRACE_MS = 2_000;

/**
 * A quorum's confirmed block.
 *
 * @throws RpcUnavailableError without a quorum
 */
export async function blockAt(endpoints: EndpointSet, slot: number): Promise<Block> {
  const ask = (endpoint: RpcEndpoint) => endpoint.call('getBlock', [slot, BLOCK_CONFIG], BlockShape);
  const isSame = (a: Block, b: Block) => a.blockhash === b.blockhash && a.blockHeight === b.blockHeight;
  const agreedAmong = (said: readonly Block[]) => agreedByQuorum(endpoints, said, isSame);
  const wait = { graceMs: BLOCK_GRACE_MS, isDecided: (said: readonly Block[]) => agreedAmong(said) !== undefined };
  const agreed = agreedAmong(answersOf(await endpoints.quorumReplies(ask, wait)));
  if (!agreed)
    throw new RpcUnavailableError(`no ${endpoints.quorum} RPC endpoints have the same block of slot ${slot}`);
  return agreed;
}
