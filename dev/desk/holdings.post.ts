import { AccountLayout, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { readTokens } from '../../chain/tokens/token-info.ts';
import { formatUnits, SOL_DECIMALS } from '../../domain/amounts.ts';
import { send } from '../../api/envelope.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { AddressSchema } from '../../api/schemas/parameters.ts';
import type { DeskDeps } from './deps.ts';
import { parseAddress } from './parse.ts';
import { deskRoute } from './schemas.ts';

export const HoldingsBodySchema = Type.Object({ wallet: AddressSchema }, { additionalProperties: false });

const schema = { hide: true, body: HoldingsBodySchema };

export function holdingsPost(app: ApiInstance, { launching }: DeskDeps): void {
  const { connection } = launching.rpc;
  app.post('/holdings', { ...deskRoute, schema }, async (request, reply) => {
    const wallet = parseAddress('wallet', request.body.wallet);
    const [lamports, tokens] = await Promise.all([
      connection.getBalance(wallet, 'confirmed'),
      tokensOf(connection, wallet),
    ]);
    return send(request, reply, { sol: formatUnits(BigInt(lamports), SOL_DECIMALS), tokens });
  });
}

async function tokensOf(connection: Connection, wallet: PublicKey) {
  const accounts = await Promise.all(
    [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].map((programId) =>
      connection.getTokenAccountsByOwner(wallet, { programId }, 'confirmed'),
    ),
  );
  const held = accounts
    .flatMap(({ value }) =>
      value.map(({ account }) => AccountLayout.decode(account.data.subarray(0, AccountLayout.span))),
    )
    .filter(({ amount }) => amount > 0n);
  const infos = await readTokens(
    connection,
    held.map(({ mint }) => mint),
  );
  return held.flatMap(({ mint, amount }, index) => {
    const info = infos[index];
    return info ? [{ mint: mint.toBase58(), amount: formatUnits(amount, info.decimals) }] : [];
  });
}
