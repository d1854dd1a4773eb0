import type { VersionedTransactionResponse } from '@solana/web3.js';
import { type EndpointSet, quorumAnswersOf } from './endpoints.ts';
import { RpcAnswerError, type RpcEndpoint } from './json-rpc.ts';
import { assertReachesBack, NoTestimonyError } from './reach.ts';
import { BlockTimeShape } from './shapes.ts';
import { askTransactionResponse } from './transactions.ts';

const GRACE_MS = 2_000;

export interface StoredTransaction {
  readonly signature: string;
  readonly slot: number;
}

/**
 * True if a quorum confirms `isSo`, or if nothing contradicts it and too few endpoints still store such old blocks.
 * With one endpoint true, without a call.
 *
 * @throws RpcUnavailableError when fewer than a quorum respond
 */
export async function finalizedAs(
  endpoints: EndpointSet,
  { signature, slot }: StoredTransaction,
  isSo: (response: VersionedTransactionResponse) => boolean,
): Promise<boolean> {
  if (endpoints.quorum === 1) return true;
  const isConfirmed = (said: readonly Testimony[]) => said.filter((one) => one === 'so').length >= endpoints.quorum;
  const isDecided = (said: readonly Testimony[]) => isConfirmed(said) || !said.includes('otherwise');
  const replies = await endpoints.quorumReplies(
    async (endpoint): Promise<Testimony> => {
      const response = await askTransactionResponse(endpoint, signature, 'finalized');
      if (response !== null) return isSo(response) ? 'so' : 'otherwise';
      try {
        await assertReachesBack(endpoint, slot);
        return (await hasBlock(endpoint, slot)) ? 'otherwise' : 'forgotten';
      } catch (error) {
        if (error instanceof NoTestimonyError) return 'forgotten';
        throw error;
      }
    },
    { graceMs: GRACE_MS, isDecided, isEnough: isConfirmed },
  );
  const said = quorumAnswersOf(endpoints, replies, `what transaction ${signature} did`);
  return isDecided(said);
}

/** True if its history has no gap at this slot. */
async function hasBlock(endpoint: RpcEndpoint, slot: number): Promise<boolean> {
  try {
    return (await endpoint.call('getBlockTime', [slot], BlockTimeShape)) !== null;
  } catch (error) {
    if (error instanceof RpcAnswerError) return false;
    throw error;
  }
}

type Testimony = 'so' | 'otherwise' | 'forgotten';
