import Type, { type Static } from 'typebox';
import * as lateQuotes from '../../db/launch/late-quotes.ts';
import * as launches from '../../db/launch/launches.ts';
import * as receipts from '../../db/launch/receipts.ts';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import { AppError } from '../../domain/errors.ts';
import { nullable, record, signature, text } from '../answers/fields.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { sealedLogAnswer, SealedLogSchema } from '../platform/sealed-log.schema.ts';
import { responses } from '../schemas/envelope.ts';
import { SignatureSchema } from '../schemas/parameters.ts';

const ParamsSchema = Type.Object({ paymentSignature: SignatureSchema }, { additionalProperties: false });

const ReceiptSchema = record({
  paymentSignature: signature('Of the fee payment, as it was asked for'),
  quoteId: text('Id of the signed quote'),
  receipt: nullable(
    text('Compact JWS (RFC 7515, `alg` Ed25519, `kid` the platform’s `receipts` address); null until it is signed'),
  ),
  log: nullable(SealedLogSchema),
});

const schema = {
  tags: ['Launch'],
  operationId: 'getLaunchReceipt',
  summary: 'Receipt of a launch',
  description:
    'What the platform signed about a quote once it was final: `completed`, `notCharged` or `refunded`. It is signed within ' +
    'minutes and never changes. `slipway verify receipt` checks it by the chain alone. `log` is the sealed log ' +
    'that lists it, within two hours. Keep both: a receipt that says `notCharged` ' +
    'is served for 30 days, of a quote that came too late for a day.',
  params: ParamsSchema,
  response: responses(ReceiptSchema),
};

/** Finds the quote by any signature that its payment was submitted or landed with. */
export function launchReceiptGet(app: ApiInstance, { db, config }: ApiDeps): void {
  app.get('/launches/:paymentSignature/receipt', { schema }, async (request, reply) => {
    const { paymentSignature } = request.params;
    const quote =
      (await launches.bySignature(db, paymentSignature)) ?? (await lateQuotes.bySignature(db, paymentSignature));
    if (!quote) throw new AppError('not_found', `no launch has the payment signature ${paymentSignature}`);
    const { quoteId } = quote;
    const kept = await receipts.byQuoteId(db, quoteId);
    const log = kept === null || kept.logNumber === null ? null : await sealedLogs.sealed(db, kept.logNumber);
    const data: Static<typeof ReceiptSchema> = {
      paymentSignature,
      quoteId,
      receipt: kept?.jws ?? null,
      log: log && sealedLogAnswer(config.siteUrl, log),
    };
    return send(request, reply, data);
  });
}
