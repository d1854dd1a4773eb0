import Type, { type Static } from 'typebox';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as launches from '../../db/launch/launches.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema, modeParameter, pageParameters, TimestampSchema, toDate } from '../schemas/parameters.ts';
import { completedLaunch } from './launch-record.ts';

/** Query of `GET /launches`. */
export const LaunchesQuerySchema = Type.Object(
  {
    creator: Type.Optional({ ...AddressSchema, description: 'Only launches of this wallet' }),
    ...modeParameter,
    since: Type.Optional({
      ...TimestampSchema,
      description: 'Only launches at or after this time, ISO 8601 with a time zone',
    }),
    ...pageParameters,
  },
  { additionalProperties: false },
);

const schema = {
  tags: ['Data'],
  summary: 'Launch ledger',
  description:
    'Launches whose token is live, newest first. One that is still processing or did not land is found by its payment signature.',
  querystring: LaunchesQuerySchema,
  response: responses(),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 2, staleSeconds: 10 };

/** `GET /launches`: the public ledger, a page. */
export function launchesGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async (query: Static<typeof LaunchesQuerySchema>) => {
    const { page, pageSize, since, ...filter } = query;
    const time = since === undefined ? {} : { since: toDate('since', since) };
    const { launches: records, hasMore } = await launches.ledger(db, { ...filter, ...time }, { page, pageSize });
    const detailed = await withDetails(db, records);
    return { data: { launches: detailed.map(completedLaunch) }, list: { page, pageSize, hasMore } };
  });
  app.get('/launches', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}
