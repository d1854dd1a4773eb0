import Type from 'typebox';
import type { Db } from '../../db/connect.ts';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as lateQuotes from '../../db/launch/late-quotes.ts';
import * as launches from '../../db/launch/launches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { SignatureSchema } from '../schemas/parameters.ts';
import { CAME_TOO_LATE, cameTooLate, launchAnswer } from './launch-answer.ts';
import { launchRecord } from './launch-record.ts';
import {
  type LaunchOutcome,
  type LaunchStatus,
  LaunchStatusSchema,
  notChargedFields,
  recoveryFields,
} from './launch.schema.ts';

const ParamsSchema = Type.Object({ paymentSignature: SignatureSchema }, { additionalProperties: false });

const schema = {
  tags: ['Launch'],
  operationId: 'getLaunchStatus',
  summary: 'Launch status',
  description:
    'Poll after `processing` until `completed`, which carries the mint. Never pay again meanwhile. A launch that did not land, or ' +
    'that was refunded, is 503 with `charged: false`, as on submit.',
  params: ParamsSchema,
  response: responses(LaunchStatusSchema, { conflict: recoveryFields, service_unavailable: notChargedFields }),
};

export function launchStatusGet(app: ApiInstance, { db }: ApiDeps): void {
  app.get('/launches/:paymentSignature', { schema }, async (request, reply) => {
    const { paymentSignature } = request.params;
    const launch = await launches.bySignature(db, paymentSignature);
    if (launch) return send(request, reply, await withFacts(db, launch, launchAnswer(launch)));
    if (await lateQuotes.bySignature(db, paymentSignature)) throw cameTooLate(CAME_TOO_LATE, paymentSignature);
    throw new AppError('not_found', `no launch has the payment signature ${paymentSignature}`);
  });
}

async function withFacts(db: Db, launch: LaunchRecord, outcome: LaunchOutcome): Promise<LaunchStatus> {
  const [detailed] = await withDetails(db, [launch]);
  if (!detailed) throw new Error(`launch ${launch.quoteId} has no details`);
  const { token } = detailed;
  return { ...outcome, ...(token && { pool: token.pool }), ...launchRecord(detailed) };
}
