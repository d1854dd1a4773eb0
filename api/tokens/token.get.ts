import Type, { type Static } from 'typebox';
import type { Db } from '../../db/connect.ts';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as launches from '../../db/launch/launches.ts';
import { findListedToken } from '../../db/market/listed-token.ts';
import * as tokens from '../../db/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { networkOf } from '../../domain/network.ts';
import { NetworkSchema, nullable, record } from '../answers/fields.ts';
import { createReadCache } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { completedLaunch } from '../launch/launch-record.ts';
import { type LaunchAnswer, LaunchSchema } from '../launch/launch.schema.ts';
import { responses } from '../schemas/envelope.ts';
import { MintParamsSchema } from '../schemas/parameters.ts';
import { findQuoteToken } from './quote-token.ts';
import { toTokenAnswer } from './token-answer.ts';
import { ListedQuoteSchema, TokenSchema } from './token.schema.ts';
import { TOKEN_LIFE } from './tokens.get.ts';

/** `data` of `GET /tokens/{mint}`. */
export const OneTokenSchema = record({
  token: Type.Union([TokenSchema, ListedQuoteSchema]),
  launch: nullable(LaunchSchema),
  network: NetworkSchema,
});

type OneToken = Static<typeof OneTokenSchema>;

const schema = {
  tags: ['Data'],
  operationId: 'getToken',
  summary: 'One token',
  description:
    'Market data of a token and, where the platform launched it, its launch. Quote tokens that a pool is paired with answer ' +
    '`launch: null`. A token hidden from lists can still be read here.',
  params: MintParamsSchema,
  response: responses(OneTokenSchema),
};

/** `GET /tokens/{mint}`: one token with its market and launch. */
export function tokenGet(app: ApiInstance, deps: ApiDeps): void {
  const network = networkOf(deps.launching.scope.genesisHash);
  const cache = createReadCache(TOKEN_LIFE, async ({ mint }: Static<typeof MintParamsSchema>) => {
    const found = (await launchedToken(deps.db, mint)) ?? (await quoteToken(deps, mint));
    if (!found) throw new AppError('not_found', `there is no token with mint ${mint}`);
    const data: OneToken = { ...found, network };
    return { data };
  });
  app.get('/tokens/:mint', { schema }, async (request, reply) => cache.send(request, reply, request.params));
}

type Found = Pick<OneToken, 'token' | 'launch'>;

async function launchedToken(db: Db, mint: string): Promise<Found | null> {
  const [market, token] = await Promise.all([findListedToken(db, mint), tokens.byMint(db, mint)]);
  if (!market || !token) return null;
  return { token: toTokenAnswer(market), launch: token.quoteId === null ? null : await launchOf(db, token.quoteId) };
}

async function launchOf(db: Db, quoteId: string): Promise<LaunchAnswer | null> {
  const launch = await launches.byQuoteId(db, quoteId);
  if (!launch) throw new Error(`the token of launch ${quoteId} has no launch`);
  const [detailed] = await withDetails(db, [launch]);
  return detailed ? completedLaunch(detailed) : null;
}

async function quoteToken(deps: ApiDeps, mint: string): Promise<Found | null> {
  const token = await findQuoteToken(deps, mint);
  return token && { token, launch: null };
}
