import { type EndpointSet, agreedByQuorum, quorumAnswersOf } from './endpoints.ts';
import { RpcAnswerError, type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { BlockSlotsShape, LinkedBlockShape } from './shapes.ts';

/** A finalized block. */
export interface FirstBlock {
  readonly slot: number;
  /** base58 */
  readonly blockhash: string;
}

export interface FirstBlockReader {
  /**
   * The first finalized block at or after a slot, by a quorum: its parent is before the slot. For slots up to the
   * finalized head.
   *
   * @throws RpcUnavailableError without a quorum, or RangeError where the only endpoint lacks it
   */
  read(slot: number): Promise<FirstBlock>;
}

const GRACE_MS = 2_000;

/** Finalized blocks never change: those of the windows that open rounds observe in. */
const KEPT_BLOCKS = 512;

const FINALIZED = { commitment: 'finalized' };
const BLOCK_CONFIG = { ...FINALIZED, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 };

/** Reads each block once for all rounds. */
export function createFirstBlockReader(endpoints: EndpointSet): FirstBlockReader {
  const kept = new Map<number, Promise<FirstBlock>>();
  return {
    read(slot) {
      const known = kept.get(slot);
      if (known) return known;
      const asked = firstBlock(endpoints, slot);
      kept.set(slot, asked);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_BLOCKS && oldest !== undefined) kept.delete(oldest);
      // A failure is not cached.
      asked.catch(() => kept.get(slot) === asked && kept.delete(slot));
      return asked;
    },
  };
}

async function firstBlock(endpoints: EndpointSet, slot: number): Promise<FirstBlock> {
  const isSame = (a: FirstBlock, b: FirstBlock) => a.slot === b.slot && a.blockhash === b.blockhash;
  const agreedAmong = (said: readonly FirstBlock[]) => agreedByQuorum(endpoints, said, isSame);
  const wait = { graceMs: GRACE_MS, isDecided: (said: readonly FirstBlock[]) => agreedAmong(said) !== undefined };
  const replies = await endpoints.quorumReplies((endpoint) => firstBlockOf(endpoint, slot), wait);
  const agreed = agreedAmong(quorumAnswersOf(endpoints, replies, `which block is the first from slot ${slot} on`));
  if (agreed) return agreed;
  throw new RpcUnavailableError(`no ${endpoints.quorum} RPC endpoints have the same first block from slot ${slot} on`);
}

async function firstBlockOf(endpoint: RpcEndpoint, from: number): Promise<FirstBlock> {
  const own = await blockOf(endpoint, from).catch((error: unknown) => {
    // Skipped, or pruned: the parent of the next one tells.
    if (error instanceof RpcAnswerError) return null;
    throw error;
  });
  const found = own ?? (await nextBlock(endpoint, from));
  if (found.parentSlot < from) return { slot: found.slot, blockhash: found.blockhash };
  throw new RangeError(`${endpoint.name} lacks blocks between slots ${from} and ${found.slot}`);
}

async function nextBlock(endpoint: RpcEndpoint, from: number) {
  const [slot] = await endpoint.call('getBlocksWithLimit', [from, 1, FINALIZED], BlockSlotsShape);
  if (slot !== undefined && slot >= from) return blockOf(endpoint, slot);
  throw new RangeError(`${endpoint.name} has no finalized block from slot ${from} on`);
}

async function blockOf(endpoint: RpcEndpoint, slot: number) {
  return { slot, ...(await endpoint.call('getBlock', [slot, BLOCK_CONFIG], LinkedBlockShape)) };
}
