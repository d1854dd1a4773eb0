import Type from 'typebox';
import type { Db } from '../../db/connect.ts';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as lateQuotes from '../../db/launch/late-quotes.ts';
import * as launches from '../../db/launch/launches.ts';
import * as unknownWork from '../../db/money/unknown-work.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { AppError } from '../../domain/errors.ts';
import { onChainOf } from '../../domain/launch/public-status.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { SignatureSchema } from '../schemas/parameters.ts';
import { CAME_TOO_LATE, cameTooLate, forgottenLaunch, launchAnswer } from './launch-answer.ts';
import { launchRecord } from './launch-record.ts';
import { type LaunchStatus, LaunchStatusSchema, notChargedFields, recoveryFields } from './launch.schema.ts';

const ParamsSchema = Type.Object({ paymentSignature: SignatureSchema }, { additionalProperties: false });

const schema = {
  tags: ['Launch'],
  operationId: 'getLaunchStatus',
  summary: 'Launch status',
  description:
    'Poll after `processing` until `completed`, which carries the mint. Never pay again meanwhile. A launch that did not land, or ' +
    'that was refunded, has ended: 503 with `status: service_unavailable`, `charged: false` and `final: true`, as on submit. A 503 without ' +
    '`final` is no end: poll on.',
  params: ParamsSchema,
  response: responses(LaunchStatusSchema, { conflict: recoveryFields, service_unavailable: notChargedFields }),
};

export function launchStatusGet(app: ApiInstance, { db }: ApiDeps): void {
  app.get('/launches/:paymentSignature', { schema }, async (request, reply) => {
    const { paymentSignature } = request.params;
    const launch = await launches.bySignature(db, paymentSignature);
    if (launch) return send(request, reply, await statusOf(db, launch));
    if (await lateQuotes.bySignature(db, paymentSignature)) throw cameTooLate(CAME_TOO_LATE, paymentSignature);
    if (await unknownWork.byPayment(db, paymentSignature)) throw forgottenLaunch(paymentSignature);
    throw new AppError('not_found', `no launch has the payment signature ${paymentSignature}`);
  });
}

async function statusOf(db: Db, launch: LaunchRecord): Promise<LaunchStatus> {
  const [detailed] = await withDetails(db, [launch]);
  if (!detailed) throw new Error(`launch ${launch.quoteId} has no details`);
  const { token, transactions } = detailed;
  const outcome = launchAnswer(launch, onChainOf(launch.quoteId, transactions));
  return { ...outcome, ...(token && { pool: token.pool }), ...launchRecord(detailed) };
}
