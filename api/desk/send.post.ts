import { setTimeout as sleep } from 'node:timers/promises';
import { VersionedTransaction } from '@solana/web3.js';
import Type from 'typebox';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { signatureOf } from '../../chain/transactions/compile.ts';
import { AppError } from '../../domain/errors.ts';
import { send } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import type { DeskDeps } from './deps.ts';
import { deskRoute } from './schemas.ts';

/** Longest transaction of Solana, 1,232 bytes, in base64. */
const LONGEST_BASE64 = 1_644;

const CONFIRM_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Body of `POST /local/send`. */
export const SendBodySchema = Type.Object(
  { transaction: Type.String({ minLength: 1, maxLength: LONGEST_BASE64, description: 'Signed transaction, base64' }) },
  { additionalProperties: false },
);

const schema = { hide: true, body: SendBodySchema };

/**
 * `POST /local/send`: hands a signed transaction to the local chain and answers its signature once it is confirmed, for pages that
 * reach no other host than this. What failed on the chain is a 409.
 */
export function sendPost(app: ApiInstance, { launching }: DeskDeps): void {
  app.post('/send', { ...deskRoute, schema }, async (request, reply) => {
    const wire = Buffer.from(request.body.transaction, 'base64');
    const signature = signatureOf(parse(wire));
    const { taken, failures } = await launching.rpc.sendWire(wire);
    if (taken === 0) throw new AppError('conflict', `the chain refuses ${signature}: ${failures.join('; ')}`);
    await untilConfirmed(launching.rpc, signature);
    return send(request, reply, { signature });
  });
}

function parse(wire: Uint8Array): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(wire);
  } catch (cause) {
    throw new AppError('invalid_request', 'transaction is not a transaction in base64', { cause });
  }
}

async function untilConfirmed(rpc: Rpc, signature: string): Promise<void> {
  const deadline = Date.now() + CONFIRM_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const [status] = await rpc.signatureStatuses([signature]);
    if (status && status.err !== null) {
      throw new AppError('conflict', `${signature} failed on the chain: ${JSON.stringify(status.err)}`);
    }
    if (status && status.commitment !== 'processed') return;
    await sleep(POLL_MS);
  }
  throw new AppError('service_unavailable', `${signature} is not confirmed after ${CONFIRM_TIMEOUT_MS} ms`);
}
