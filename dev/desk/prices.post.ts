import { NATIVE_MINT } from '@solana/spl-token';
import Type from 'typebox';
import type { Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import { AppError } from '../../domain/errors.ts';
import { send } from '../../api/envelope.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { AddressSchema } from '../../api/schemas/parameters.ts';
import type { DeskDeps } from './deps.ts';
import { deskRoute } from './schemas.ts';

export const PricesBodySchema = Type.Object(
  {
    mint: AddressSchema,
    usd: Type.String({
      pattern: '^(?=.*[1-9])\\d{1,15}(\\.\\d{1,20})?$',
      maxLength: 36,
      description: 'USD per whole token, a positive decimal string',
    }),
  },
  { additionalProperties: false },
);

const schema = { hide: true, body: PricesBodySchema };

export function pricesPost(app: ApiInstance, { db, now }: DeskDeps): void {
  app.post('/prices', { ...deskRoute, schema }, async (request, reply) => {
    const { mint, usd } = request.body;
    if (mint !== NATIVE_MINT.toBase58()) await assertFixed(db, mint);
    const observedAt = now();
    await prices.record(db, [{ mint, usd, source: 'fixed', observedAt }]);
    return send(request, reply, { mint, usd, observedAt: observedAt.toISOString() });
  });
}

async function assertFixed(db: Db, mint: string): Promise<void> {
  const pair = await pairs.byMint(db, mint);
  if (!pair) throw new AppError('not_found', `${mint} is neither a listed quote token nor SOL`);
  if (pair.priceSource === 'fixed') return;
  throw new AppError('conflict', `the price of ${pair.symbol} (${mint}) comes from ${pair.priceSource}`);
}
