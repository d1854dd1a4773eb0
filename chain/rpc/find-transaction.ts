import type { VersionedTransactionResponse } from '@solana/web3.js';
import { answersOf, type EndpointSet } from './endpoints.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { askTransaction, askTransactionResponse, type LandedTransaction } from './transactions.ts';

/** Returns the transaction of the first prompt endpoint that has it. */
export async function getTransaction(
  endpoints: EndpointSet,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<LandedTransaction | null> {
  const replies = await endpoints.promptReplies((endpoint) => askTransaction(endpoint, signature, commitment));
  return answersOf(replies).find((transaction) => transaction !== null) ?? null;
}

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
