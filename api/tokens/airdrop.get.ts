import Type, { type Static } from 'typebox';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import type { Airdrop, AirdropProgress } from '../../db/airdrop/airdrops.ts';
import type { Db } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import { AppError } from '../../domain/errors.ts';
import { TOKEN_DECIMALS } from '../../domain/token-facts.ts';
import { address, count, figure, moment, nullable, raw, record, text, TransferFeeSchema } from '../answers/fields.ts';
import { toTokens } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { airdropTermsAnswer } from '../launch/airdrop-answer.ts';
import { AirdropTermsSchema } from '../launch/launch.schema.ts';
import { responses } from '../schemas/envelope.ts';
import { MintParamsSchema } from '../schemas/parameters.ts';
import { requireTradedToken } from './traded-token.ts';

/** An airdrop as it was agreed, and how far it is delivered. */
export const AirdropSchema = record({
  ...AirdropTermsSchema.properties,
  recipientsHash: text('sha256 of the recipients’ document, hex'),
  recipientsUri: text('Where that document lies'),
  transferFee: TransferFeeSchema,
  delivery: record({
    status: Type.Enum(['waiting', 'delivering', 'delivered']),
    deliveredRecipients: count('Wallets that have theirs'),
    deliveredTokens: figure('What was sent to them, before the transfer tax'),
    deliveredTokensRaw: raw('The same'),
    deliveredAt: nullable(moment('When all had theirs')),
  }),
});

type AirdropAnswer = Static<typeof AirdropSchema>;

/** `data` of `GET /tokens/{mint}/airdrop`. */
export const TokenAirdropSchema = record({ mint: address('Mint'), airdrop: nullable(AirdropSchema) });

const schema = {
  tags: ['Data'],
  operationId: 'getAirdrop',
  summary: 'Launch airdrop of a token',
  description:
    'The airdrop a token launched with: share of supply, number of recipient wallets, where they came from, and how much of it ' +
    'is delivered. `airdrop: null` for a token without one.',
  params: MintParamsSchema,
  response: responses(TokenAirdropSchema),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 2, staleSeconds: 10, entries: 500 };

/** `GET /tokens/{mint}/airdrop`: while airdrops are switched off it does not exist, for whatever it is asked. */
export function airdropGet(app: ApiInstance, { db, switches }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint }: Static<typeof MintParamsSchema>) => {
    const data: Static<typeof TokenAirdropSchema> = { mint, airdrop: await airdropOf(db, mint) };
    return { data };
  });
  const route = {
    schema,
    config: { feature: 'airdrops' },
    onRequest: async () => {
      const { airdrops } = await switches.read();
      if (airdrops === 'off') throw new AppError('not_found', 'airdrops are not available');
    },
  } as const;
  app.get('/tokens/:mint/airdrop', route, async (request, reply) => cache.send(request, reply, request.params));
}

async function airdropOf(db: Db, mint: string): Promise<AirdropAnswer | null> {
  await requireTradedToken(db, mint);
  const [airdrop, launch] = await Promise.all([airdrops.byMint(db, mint), launches.byMint(db, mint)]);
  const terms = launch?.terms;
  if (!airdrop || !terms?.airdrop || terms.fee.mode !== 'reward') return null;
  const { recipientsHash, recipientsUri } = airdrop;
  return {
    ...airdropTermsAnswer(terms.airdrop),
    recipientsHash,
    recipientsUri,
    transferFee: { bps: terms.fee.rewardTaxBps },
    delivery: deliveryAnswer(airdrop, await airdrops.progressOf(db, airdrop.quoteId)),
  };
}

/** Amounts before the transfer tax, which comes off every one of them. */
function deliveryAnswer({ deliveredAt }: Airdrop, progress: AirdropProgress): AirdropAnswer['delivery'] {
  const { deliveredRecipients, deliveredRaw } = progress;
  return {
    status: deliveredAt === null ? (deliveredRecipients > 0 ? 'delivering' : 'waiting') : 'delivered',
    deliveredRecipients,
    deliveredTokens: toTokens(deliveredRaw, TOKEN_DECIMALS),
    deliveredTokensRaw: deliveredRaw.toString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}
