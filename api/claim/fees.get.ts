import Type from 'typebox';
import { readPositionFees } from '../../chain/exchange/position-fees.ts';
import { BASE_PATH } from '../base-path.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema } from '../schemas/parameters.ts';
import { claimableAnswer } from './claimable-answer.ts';
import { type CreatorPosition, findCreatorPosition, NO_POSITION_REASON } from './creator-position.ts';
import { type FeesAnswer, FeesSchema } from './fees.schema.ts';

/** Path of the fee endpoints. */
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

/** Fees grow with every trade; a creator who has claimed wants to see them gone. In seconds. */
const CACHE = { seconds: 2, staleSeconds: 5 };

/** `GET /tokens/{mint}/fees`: what a claim would collect now. What the chain and the price service are asked grows with time, not with requests. */
export function feesGet(app: ApiInstance, { db, launching, config }: ApiDeps): void {
  const life: ReadLife = { ...CACHE, memorySeconds: config.claimableSeconds, entries: 1_000 };
  const cache = createReadCache(life, async (mint: string) => ({
    data: await feesAnswer(launching, await findCreatorPosition(db, mint)),
  }));
  app.get('/tokens/:mint/fees', { schema }, async (request, reply) => cache.send(request, reply, request.params.mint));
}

async function feesAnswer(launching: ApiDeps['launching'], { token, position }: CreatorPosition): Promise<FeesAnswer> {
  const { mint, mode, pool, creator } = token;
  const about = { mint, mode, pool, claimUrl: `/tokens/${mint}`, claimApi: `${BASE_PATH}/tokens/${mint}/fees/claim` };
  if (!position) return { ...about, creator: null, claimable: null, reason: NO_POSITION_REASON };
  const fees = await readPositionFees(launching, position);
  return {
    ...about,
    creator,
    claimable: await claimableAnswer(launching.prices, token, fees),
    feeKey: { mint: position.feeKeyMint.toBase58(), holder: fees.holder?.toBase58() ?? null },
  };
}
