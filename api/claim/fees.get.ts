import Type from 'typebox';
import { BASE_PATH } from '../base-path.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { EndpointDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema } from '../schemas/parameters.ts';
import { claimableAnswer } from './claimable-answer.ts';
import { type CreatorPosition, findCreatorPosition, NO_POSITION_REASON } from './creator-position.ts';
import { type FeesAnswer, FeesSchema } from './fees.schema.ts';

export const FeesParamsSchema = Type.Object({ mint: AddressSchema }, { additionalProperties: false });

const schema = {
  tags: ['Fees'],
  operationId: 'getClaimableFees',
  summary: 'Claimable creator fees',
  description:
    'Trading fees that the holder of a standard launch’s Fee Key can claim, in both tokens. Needs no wallet. A reward coin ' +
    'answers `claimable: null` with a reason.',
  params: FeesParamsSchema,
  response: responses(FeesSchema),
};

/** Seconds: fees grow with every trade, and a claim must show. */
const CACHE = { seconds: 2, staleSeconds: 5 };

/** Of a response that shows fees, which the reader caches for `claimableSeconds`. */
export function feesLife({ claimableSeconds }: EndpointDeps['config']): ReadLife {
  return { ...CACHE, memorySeconds: Math.min(1, claimableSeconds), sourceSeconds: claimableSeconds, entries: 1_000 };
}

/** Serves cached fees: upstream calls grow with time, not with requests. */
export function feesGet(app: ApiInstance, deps: EndpointDeps): void {
  const cache = createReadCache(feesLife(deps.config), async (mint: string) => ({
    data: await feesAnswer(deps, await findCreatorPosition(deps.db, mint)),
  }));
  app.get('/tokens/:mint/fees', { schema }, async (request, reply) => cache.send(request, reply, request.params.mint));
}

async function feesAnswer(deps: EndpointDeps, { token, position }: CreatorPosition): Promise<FeesAnswer> {
  const { mint, mode, pool, creator } = token;
  const about = { mint, mode, pool, claimUrl: `/tokens/${mint}`, claimApi: `${BASE_PATH}/tokens/${mint}/fees/claim` };
  if (!position) return { ...about, creator: null, claimable: null, reason: NO_POSITION_REASON };
  const fees = await deps.fees(position);
  return {
    ...about,
    creator,
    claimable: await claimableAnswer(deps.launching.prices, token, fees),
    feeKey: { mint: position.feeKeyMint.toBase58(), holder: fees.holder?.toBase58() ?? null },
  };
}
