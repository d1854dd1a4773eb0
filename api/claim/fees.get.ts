import Type from 'typebox';
import { readPositionFees } from '../../chain/exchange/position-fees.ts';
import { BASE_PATH } from '../base-path.ts';
import type { ApiDeps } from '../deps.ts';
import { sendCached } from '../envelope.ts';
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
  summary: 'Claimable creator fees',
  description:
    'Trading fees that the holder of a standard launch’s Fee Key can claim, in both tokens. Needs no wallet. A reward coin ' +
    'answers `claimable: null` with a reason.',
  params: FeesParamsSchema,
  response: responses(FeesSchema),
};

/** Fees grow with every trade; a creator who has claimed wants to see them gone. In seconds. */
const CACHE = { seconds: 2, staleSeconds: 5 };

/** `GET /tokens/{mint}/fees`: what a claim would collect now. */
export function feesGet(app: ApiInstance, { db, launching }: ApiDeps): void {
  app.get('/tokens/:mint/fees', { schema }, async (request, reply) => {
    const found = await findCreatorPosition(db, request.params.mint);
    return sendCached(request, reply, CACHE, await feesAnswer(launching, found));
  });
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
