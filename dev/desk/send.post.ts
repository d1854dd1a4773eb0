import { VersionedTransaction } from '@solana/web3.js';
import Type from 'typebox';
import { signatureOf } from '../../chain/transactions/compile.ts';
import { AppError } from '../../domain/errors.ts';
import { send } from '../../api/envelope.ts';
import type { ApiInstance } from '../../api/instance.ts';
import type { DeskDeps } from './deps.ts';
import { deskRoute } from './schemas.ts';
import { untilConfirmed } from './until-confirmed.ts';

/** 1,232 bytes in base64. */
const LONGEST_BASE64 = 1_644;

export const SendBodySchema = Type.Object(
  { transaction: Type.String({ minLength: 1, maxLength: LONGEST_BASE64, description: 'Signed transaction, base64' }) },
  { additionalProperties: false },
);

const schema = { hide: true, body: SendBodySchema };

/** Returns the signature once confirmed, for pages that reach no other host. A failure on the chain is 409. */
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
