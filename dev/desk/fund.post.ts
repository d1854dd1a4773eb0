import Type, { type Static } from 'typebox';
import { readTokens } from '../../chain/tokens/token-info.ts';
import { SOL_DECIMALS } from '../../domain/amounts.ts';
import { AppError } from '../../domain/errors.ts';
import { send } from '../../api/envelope.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { AddressSchema } from '../../api/schemas/parameters.ts';
import type { DeskDeps } from './deps.ts';
import type { Gift } from './local-chain.ts';
import { parseAddress, parseAmount } from './parse.ts';
import { DecimalSchema, deskRoute } from './schemas.ts';

const MOST_TOKENS = 8;

export const FundBodySchema = Type.Object(
  {
    wallet: AddressSchema,
    sol: Type.Optional(DecimalSchema),
    tokens: Type.Optional(
      Type.Array(Type.Object({ mint: AddressSchema, amount: DecimalSchema }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: MOST_TOKENS,
      }),
    ),
  },
  { additionalProperties: false },
);

type FundBody = Static<typeof FundBodySchema>;

const schema = { hide: true, body: FundBodySchema };

export function fundPost(app: ApiInstance, deps: DeskDeps): void {
  app.post('/fund', { ...deskRoute, schema }, async (request, reply) => {
    const gift = await giftOf(deps, request.body);
    return send(request, reply, { wallet: gift.wallet, signature: await deps.chain.give(gift) });
  });
}

async function giftOf(deps: DeskDeps, { wallet, sol, tokens = [] }: FundBody): Promise<Gift> {
  if (sol === undefined && tokens.length === 0) {
    throw new AppError('invalid_request', 'nothing to fund: give sol, tokens or both');
  }
  return {
    wallet: parseAddress('wallet', wallet).toBase58(),
    lamports: sol === undefined ? 0n : parseAmount('sol', sol, SOL_DECIMALS),
    tokens: await rawTokens(deps, tokens),
  };
}

async function rawTokens({ launching }: DeskDeps, tokens: NonNullable<FundBody['tokens']>): Promise<Gift['tokens']> {
  const mints = tokens.map(({ mint }, index) => parseAddress(`tokens.${index}.mint`, mint));
  const found = mints.length === 0 ? [] : await readTokens(launching.rpc.connection, mints);
  return tokens.map(({ mint, amount }, index) => {
    const token = found[index];
    if (!token) throw new AppError('not_found', `there is no mint ${mint} on the chain`);
    return { mint, raw: parseAmount(`tokens.${index}.amount`, amount, token.decimals) };
  });
}
