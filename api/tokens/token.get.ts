import type { Static } from 'typebox';
import type { Db } from '../../db/connect.ts';
import { withDetails } from '../../db/launch/launch-details.ts';
import * as launches from '../../db/launch/launches.ts';
import { findListedToken } from '../../db/market/token-list.ts';
import * as tokens from '../../db/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { createReadCache } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { completedLaunch } from '../launch/launch-record.ts';
import { responses } from '../schemas/envelope.ts';
import { MintParamsSchema } from '../schemas/parameters.ts';
import { findQuoteToken } from './quote-token.ts';
import { toTokenAnswer } from './token-answer.ts';
import { TOKEN_LIFE } from './tokens.get.ts';

const schema = {
  tags: ['Data'],
  summary: 'One token',
  description:
    'Market data of a token and, where the platform launched it, its launch. Quote tokens that a pool is paired with answer ' +
    '`launch: null`. A token hidden from lists can still be read here.',
  params: MintParamsSchema,
  response: responses(),
};

/** `GET /tokens/{mint}`: one token with its market and launch. */
export function tokenGet(app: ApiInstance, deps: ApiDeps): void {
  const cache = createReadCache(TOKEN_LIFE, async ({ mint }: Static<typeof MintParamsSchema>) => {
    const data = (await launchedToken(deps.db, mint)) ?? (await findQuoteToken(deps, mint));
    if (!data) throw new AppError('not_found', `there is no token with mint ${mint}`);
    return { data };
  });
  app.get('/tokens/:mint', { schema }, async (request, reply) => cache.send(request, reply, request.params));
}

async function launchedToken(db: Db, mint: string): Promise<object | null> {
  const [market, token] = await Promise.all([findListedToken(db, mint), tokens.byMint(db, mint)]);
  if (!market || !token) return null;
  const { links, metadataUri, poolFeePercent, feeTier, rewardTaxBps } = token;
  return {
    ...toTokenAnswer(market),
    links,
    metadataUri,
    poolFeePercent,
    ...(feeTier !== null && { feeTier }),
    ...(rewardTaxBps !== null && { rewardTaxBps }),
    launch: token.quoteId === null ? null : await launchOf(db, token.quoteId),
  };
}

async function launchOf(db: Db, quoteId: string): Promise<object | null> {
  const launch = await launches.byQuoteId(db, quoteId);
  if (!launch) throw new Error(`the token of launch ${quoteId} has no launch`);
  const [detailed] = await withDetails(db, [launch]);
  return detailed ? completedLaunch(detailed) : null;
}
