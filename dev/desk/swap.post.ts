import Type from 'typebox';
import * as tokens from '../../db/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { send } from '../../api/envelope.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { AddressSchema } from '../../api/schemas/parameters.ts';
import type { DeskDeps } from './deps.ts';
import { parseWallet } from './parse.ts';
import { buildDeskSwap } from './build-swap.ts';
import { DecimalSchema, deskRoute } from './schemas.ts';

export const SwapBodySchema = Type.Object(
  { mint: AddressSchema, wallet: AddressSchema, side: Type.Enum(['buy', 'sell']), amount: DecimalSchema },
  { additionalProperties: false },
);

const schema = { hide: true, body: SwapBodySchema };

/**
 * Builds a swap for the wallet to sign and send. The stand-in's pool signs it; it lands only on the state it was built
 * for.
 */
export function swapPost(app: ApiInstance, deps: DeskDeps): void {
  app.post('/swap', { ...deskRoute, schema }, async (request, reply) => {
    const { mint, side, amount } = request.body;
    const wallet = parseWallet('wallet', request.body.wallet);
    const token = await tokens.byMint(deps.db, mint);
    if (!token) throw new AppError('not_found', `no launched token has the mint ${mint}`);
    return send(request, reply, await buildDeskSwap(deps.launching, token, { wallet, side, amount }));
  });
}
