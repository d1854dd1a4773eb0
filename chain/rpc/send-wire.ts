import { errorText } from '../../domain/error-text.ts';
import type { EndpointSet } from './endpoints.ts';
import { RpcAnswerError, type RpcEndpoint } from './json-rpc.ts';
import { TextShape } from './shapes.ts';

/** Result of a send; even `taken: 0` does not prove that the transaction will not land. */
export interface SendReport {
  /** Endpoints that accepted it, or had processed it. */
  readonly taken: number;
  readonly alreadyProcessed: boolean;
  /** One line per endpoint that did not. */
  readonly failures: readonly string[];
}

/**
 * Sends to every endpoint once, without preflight: only the caller decides to resend. Never rejects: signature and
 * block height decide the outcome.
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
