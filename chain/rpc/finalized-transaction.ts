import type { VersionedTransactionResponse } from '@solana/web3.js';
import { type EndpointSet, quorumAnswersOf } from './endpoints.ts';
import { RpcAnswerError, type RpcEndpoint } from './json-rpc.ts';
import { assertReachesBack, NoTestimonyError } from './reach.ts';
import { BlockTimeShape } from './shapes.ts';
import { askTransactionResponse } from './transactions.ts';

/** How long the others are waited for once one endpoint has answered, in ms. */
const GRACE_MS = 2_000;

/** What is known of a finalized transaction from one endpoint's word. */
export interface StoredTransaction {
  readonly signature: string;
  readonly slot: number;
}

/**
 * Whether a finalized transaction was as it `isSo`: by a quorum's word. Where nobody says otherwise, and fewer than a quorum have kept
 * blocks as old as that, it is taken as it is known. True without a call where one endpoint's word is all there is.
 * @throws RpcUnavailableError when fewer than a quorum answer.
 */
export async function finalizedAs(
  endpoints: EndpointSet,
  { signature, slot }: StoredTransaction,
  isSo: (response: VersionedTransactionResponse) => boolean,
): Promise<boolean> {
  if (endpoints.quorum === 1) return true;
  const isBorneOut = (said: readonly Testimony[]) => said.filter((one) => one === 'so').length >= endpoints.quorum;
  const replies = await endpoints.promptReplies(
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
    GRACE_MS,
    isBorneOut,
  );
  const said = quorumAnswersOf(endpoints, replies, `what transaction ${signature} did`);
  return isBorneOut(said) || !said.includes('otherwise');
}

/** Whether an endpoint whose history reaches back that far has no hole there. */
async function hasBlock(endpoint: RpcEndpoint, slot: number): Promise<boolean> {
  try {
    return (await endpoint.call('getBlockTime', [slot], BlockTimeShape)) !== null;
  } catch (error) {
    if (error instanceof RpcAnswerError) return false;
    throw error;
  }
}

type Testimony = 'so' | 'otherwise' | 'forgotten';
