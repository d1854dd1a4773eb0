import Type, { type Static } from 'typebox';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as publicLedger from '../../db/launch/public-ledger.ts';
import type { LedgerFilter } from '../../db/launch/public-ledger.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { networkOf } from '../../domain/network.ts';
import { address, count, NetworkSchema, record } from '../answers/fields.ts';
import { createCounter, PaginationSchema, readPage } from '../answers/pages.ts';
import { LedgerLaunchSchema } from './launch.schema.ts';
import {
  AddressSchema,
  airdropFilter,
  airdropParameter,
  modeParameter,
  pageParameters,
  TimestampSchema,
} from '../schemas/parameters.ts';
import { ledgerLaunch } from './launch-record.ts';

export const LaunchesQuerySchema = Type.Object(
  {
    creator: Type.Optional({ ...AddressSchema, description: 'Only launches of this wallet' }),
    ...modeParameter,
    since: Type.Optional({
      ...TimestampSchema,
      description: 'Only launches at or after this time, ISO 8601 with a time zone',
    }),
    ...airdropParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);

export const LaunchesSchema = record({
  launches: Type.Array(LedgerLaunchSchema),
  pagination: PaginationSchema,
  creator: Type.Optional(
    record(
      {
        wallet: address('The creator'),
        launches: count('Launches in all, whatever the other filters'),
        graduated: count('Those that graduated'),
        stillTraded: count('Those that traded within the last 24 hours'),
      },
      'Figures of this creator’s launches; only with the filter `creator`',
      'CreatorRecord',
    ),
  ),
  network: NetworkSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'listLaunches',
  summary: 'Launch ledger',
  description:
    'Every launch whose token is live, newest first, also one whose token an admin hid (`hidden: true`). A row never changes, but for `hidden`, ' +
    'and for `airdropDeliveredRaw` until the airdrop is delivered. One that is still processing or did not land is found by its payment signature.',
  querystring: LaunchesQuerySchema,
  response: responses(LaunchesSchema),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 2, staleSeconds: 10 };

export function launchesGet(app: ApiInstance, { reads, launching }: ApiDeps): void {
  const network = networkOf(launching.scope.genesisHash);
  const counted = createCounter((filter: LedgerFilter) => publicLedger.count(reads, filter));
  const cache = createReadCache(LIFE, async (query: Static<typeof LaunchesQuerySchema>) => {
    const { page, pageSize, since, airdrop, ...rest } = query;
    const facts = { ...rest, ...airdropFilter(airdrop) };
    const filter = since === undefined ? facts : { ...facts, since: new Date(since) };
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
    const { creator: wallet } = rest;
    const creator =
      wallet === undefined ? {} : { creator: { wallet, ...(await publicLedger.creatorRecord(reads, wallet)) } };
    const data: Static<typeof LaunchesSchema> = { launches: shown, pagination, ...creator, network };
    return { data };
  });
  app.get('/launches', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}
