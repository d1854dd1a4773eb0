import type { VersionedTransactionResponse } from '@solana/web3.js';
import { answersOf, type EndpointSet, quorumAnswersOf } from './endpoints.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { askTransaction, askTransactionResponse, type LandedTransaction } from './transactions.ts';

/** A landed transaction as the first prompt endpoint has it. One that has not got it does not answer for the others. */
export async function getTransaction(
  endpoints: EndpointSet,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<LandedTransaction | null> {
  const replies = await endpoints.promptReplies((endpoint) => askTransaction(endpoint, signature, commitment));
  return answersOf(replies).find((transaction) => transaction !== null) ?? null;
}

/** The same at `confirmed` of any endpoint. Null needs a quorum that has not got it: rejects when fewer answer. */
export async function anyTransaction(endpoints: EndpointSet, signature: string): Promise<LandedTransaction | null> {
  const replies = await endpoints.everyReply((endpoint) => askTransaction(endpoint, signature, 'confirmed'));
  const found = answersOf(replies).find((transaction) => transaction !== null);
  if (found) return found;
  quorumAnswersOf(endpoints, replies, `whether ${signature} landed`);
  return null;
}

/** The same as web3.js would give it. One endpoint is enough where it has it; where it has not, any other may. */
export async function transactionResponse(
  endpoints: EndpointSet,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<VersionedTransactionResponse | null> {
  const ask = (endpoint: RpcEndpoint) => askTransactionResponse(endpoint, signature, commitment);
  const first = await endpoints.read(ask);
  if (first !== null || endpoints.all.length === 1) return first;
  return answersOf(await endpoints.everyReply(ask)).find((response) => response !== null) ?? null;
}
