import type { Static } from 'typebox';
import type { Db } from '../../db/connect.ts';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as launches from '../../db/launch/launches.ts';
import { lookAlikesOf } from '../../db/look-alikes.ts';
import { findListedToken } from '../../db/market/listed-token.ts';
import * as tokens from '../../db/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { networkOf } from '../../domain/network.ts';
import { NetworkSchema, nullable, record } from '../answers/fields.ts';
import { platformLogoUrl } from '../assets/logo.get.ts';
import { createReadCache } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { completedLaunch } from '../launch/launch-record.ts';
import { type LaunchAnswer, LaunchSchema } from '../launch/launch.schema.ts';
import { responses } from '../schemas/envelope.ts';
import { MintParamsSchema } from '../schemas/parameters.ts';
import { toTokenAnswer } from './token-answer.ts';
import { TokenSchema } from './token.schema.ts';
import { TOKEN_LIFE } from './tokens.get.ts';

export const OneTokenSchema = record({
  token: TokenSchema,
  launch: nullable(LaunchSchema),
  network: NetworkSchema,
});

type OneToken = Static<typeof OneTokenSchema>;

const schema = {
  tags: ['Data'],
  operationId: 'getToken',
  summary: 'One token',
  description:
    'Market data of a token and, where the platform launched it, its launch. A mint without a platform pool is 404, also that of a ' +
    'quote token, which is in `/pairs` (its burns are in `/tokens/{mint}/burns`, because the platform burns quote tokens too). A token hidden from lists can still be read here.',
  params: MintParamsSchema,
  response: responses(OneTokenSchema),
};

export function tokenGet(app: ApiInstance, deps: ApiDeps): void {
  const network = networkOf(deps.launching.scope.genesisHash);
  const cache = createReadCache(TOKEN_LIFE, async ({ mint }: Static<typeof MintParamsSchema>) => {
    const found = await launchedToken(deps, mint);
    if (!found) throw new AppError('not_found', `no token with mint ${mint} was launched here`);
    const data: OneToken = { ...found, network };
    return { data };
  });
  app.get('/tokens/:mint', { schema }, async (request, reply) => cache.send(request, reply, request.params));
}

type Found = Pick<OneToken, 'token' | 'launch'>;

async function launchedToken({ db, config }: ApiDeps, mint: string): Promise<Found | null> {
  const [market, token] = await Promise.all([findListedToken(db, mint), tokens.byMint(db, mint)]);
  if (!market || !token) return null;
  const [lookAlike = null] = await lookAlikesOf(db, [market]);
  const answer = toTokenAnswer(market, platformLogoUrl(config.siteUrl), lookAlike);
  return { token: answer, launch: token.quoteId === null ? null : await launchOf(db, token.quoteId) };
}

async function launchOf(db: Db, quoteId: string): Promise<LaunchAnswer | null> {
  const launch = await launches.byQuoteId(db, quoteId);
  if (!launch) throw new Error(`the token of launch ${quoteId} has no launch`);
  const [detailed] = await withDetails(db, [launch]);
  return detailed ? completedLaunch(detailed) : null;
}
