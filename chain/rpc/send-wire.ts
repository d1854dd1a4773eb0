import { errorText } from '../../domain/error-text.ts';
import type { EndpointSet } from './endpoints.ts';
import { RpcAnswerError, type RpcEndpoint } from './json-rpc.ts';
import { TextShape } from './shapes.ts';

/** What became of handing a transaction to the endpoints. Even `taken: 0` does not prove that it will not land. */
export interface SendReport {
  /** Endpoints that took it, or that say it has been processed already. */
  readonly taken: number;
  /** True when an endpoint says that it has been processed already. */
  readonly alreadyProcessed: boolean;
  /** One line per endpoint that refused it or did not answer. */
  readonly failures: readonly string[];
}

/**
 * Hands signed bytes to every endpoint, once and without preflight, so that sending the same bytes again is the caller's
 * decision alone. Never rejects: the outcome is what the signature and the block height say.
 */
export async function sendWire(endpoints: EndpointSet, wire: Uint8Array): Promise<SendReport> {
  const transaction = Buffer.from(wire).toString('base64');
  const replies = await endpoints.promptReplies((endpoint) => sendTo(endpoint, transaction));
  return {
    taken: replies.filter(({ ok }) => ok).length,
    alreadyProcessed: replies.some((reply) => reply.ok && reply.value === 'processed'),
    failures: replies.flatMap((reply) => (reply.ok ? [] : [errorText(reply.error)])),
  };
}

async function sendTo(endpoint: RpcEndpoint, transaction: string): Promise<'taken' | 'processed'> {
  try {
    await endpoint.call(
      'sendTransaction',
      [transaction, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }],
      TextShape,
    );
    return 'taken';
  } catch (error) {
    if (error instanceof RpcAnswerError && /already (been )?processed/i.test(error.message)) return 'processed';
    throw error;
  }
}
