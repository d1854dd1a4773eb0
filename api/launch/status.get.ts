import Type from 'typebox';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as launches from '../../db/launch/launches.ts';
import * as tokens from '../../db/tokens.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { SignatureSchema } from '../schemas/parameters.ts';
import { statusAnswer } from './launch-answer.ts';
import { launchRecord } from './launch-record.ts';

const ParamsSchema = Type.Object({ paymentSignature: SignatureSchema }, { additionalProperties: false });

const schema = {
  tags: ['Launch'],
  summary: 'Launch status',
  description: 'Poll after `processing` until `completed`, which carries the mint. Never pay again meanwhile.',
  params: ParamsSchema,
  response: responses('conflict'),
};

/** `GET /launches/{paymentSignature}`: where a launch stands, by any signature its payment was submitted or landed with. */
export function launchStatusGet(app: ApiInstance, { db }: ApiDeps): void {
  app.get('/launches/:paymentSignature', { schema }, async (request, reply) => {
    const { paymentSignature } = request.params;
    const launch = await launches.bySignature(db, paymentSignature);
    if (!launch) throw new AppError('not_found', `no launch has the payment signature ${paymentSignature}`);
    const answer = statusAnswer(launch);
    return send(request, reply, { ...answer, ...(await detailsOf(db, launch)) });
  });
}

async function detailsOf(db: ApiDeps['db'], launch: LaunchRecord) {
  const [token, [detailed]] = await Promise.all([tokens.byMint(db, launch.mint), withDetails(db, [launch])]);
  return { ...(detailed && launchRecord(detailed)), ...(token && { pool: token.pool }) };
}
