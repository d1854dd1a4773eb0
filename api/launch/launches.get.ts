import Type, { type Static } from 'typebox';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as publicLedger from '../../db/launch/public-ledger.ts';
import type { LedgerFilter } from '../../db/launch/public-ledger.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { networkOf } from '../../domain/network.ts';
import { NetworkSchema, record } from '../answers/fields.ts';
import { createCounter, PaginationSchema, readPage } from '../answers/pages.ts';
import { LedgerLaunchSchema } from './launch.schema.ts';
import { AddressSchema, modeParameter, pageParameters, TimestampSchema, toDate } from '../schemas/parameters.ts';
import { ledgerLaunch } from './launch-record.ts';

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

/** `data` of `GET /launches`. */
export const LaunchesSchema = record({
  launches: Type.Array(LedgerLaunchSchema),
  pagination: PaginationSchema,
  network: NetworkSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'listLaunches',
  summary: 'Launch ledger',
  description:
    'Launches whose token is live, newest first: a row never changes. One that is still processing or did not land is found by its payment signature.',
  querystring: LaunchesQuerySchema,
  response: responses(LaunchesSchema),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 2, staleSeconds: 10 };

/** `GET /launches`: the public ledger, a page. */
export function launchesGet(app: ApiInstance, { reads, launching }: ApiDeps): void {
  const network = networkOf(launching.scope.genesisHash);
  const counted = createCounter((filter: LedgerFilter) => publicLedger.count(reads, filter));
  const cache = createReadCache(LIFE, async (query: Static<typeof LaunchesQuerySchema>) => {
    const { page, pageSize, since, ...rest } = query;
    const filter = since === undefined ? rest : { ...rest, since: toDate('since', since) };
    const { rows, pagination } = await readPage(
      { page, pageSize },
      {
        count: () => counted(filter),
        list: async (paging, total) => {
          const slice = await publicLedger.page(reads, filter, paging, total ?? undefined);
          return { rows: slice.launches, hasMore: slice.hasMore };
        },
      },
    );
    const shown = (await withDetails(reads, rows)).flatMap((launch) => ledgerLaunch(launch) ?? []);
    const data: Static<typeof LaunchesSchema> = { launches: shown, pagination, network };
    return { data };
  });
  app.get('/launches', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}
