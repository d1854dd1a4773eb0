import { answersOf, type EndpointSet, saidByQuorum } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { BlockShape } from './shapes.ts';

/** A block as a blockhash names it. */
export interface Block {
  readonly blockhash: string;
  readonly blockHeight: number;
}

/** Blocks for which a blockhash is good. */
export const BLOCKHASH_BLOCKS = 150;

const BLOCK_CONFIG = {
  commitment: 'confirmed',
  transactionDetails: 'none',
  rewards: false,
  maxSupportedTransactionVersion: 0,
};

/** How long the others are waited for once one endpoint has answered, in ms: what is checked by a block needs a second one. */
const BLOCK_GRACE_MS = 2_000;

/** The confirmed block of a slot, as a quorum of endpoints has it. @throws RpcUnavailableError when no quorum does. */
export async function blockAt(endpoints: EndpointSet, slot: number): Promise<Block> {
  const ask = (endpoint: RpcEndpoint) => endpoint.call('getBlock', [slot, BLOCK_CONFIG], BlockShape);
  const said = answersOf(await endpoints.promptReplies(ask, BLOCK_GRACE_MS));
  const isSame = (a: Block, b: Block) => a.blockhash === b.blockhash && a.blockHeight === b.blockHeight;
  const agreed = saidByQuorum(endpoints, said, isSame);
  if (!agreed)
    throw new RpcUnavailableError(`no ${endpoints.quorum} RPC endpoints have the same block of slot ${slot}`);
  return agreed;
}
