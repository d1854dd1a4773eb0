import Type, { type Static } from 'typebox';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import type { Airdrop, AirdropProgress } from '../../db/airdrop/airdrops.ts';
import type { Db } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import { AppError } from '../../domain/errors.ts';
import { areAirdropsOffered } from '../../domain/switches.ts';
import { TOKEN_DECIMALS } from '../../domain/token-facts.ts';
import { address, count, figure, moment, nullable, raw, record, text, TransferFeeSchema } from '../answers/fields.ts';
import { toInteger, toTokens } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import { documentUrl } from '../../domain/proof/document-url.ts';
import type { ApiInstance } from '../instance.ts';
import { airdropTermsAnswer } from '../launch/airdrop-answer.ts';
import { shareBps } from '../launch/airdrop-flags.ts';
import { AirdropTermsSchema } from '../launch/launch.schema.ts';
import { responses } from '../schemas/envelope.ts';
import { MintParamsSchema } from '../schemas/parameters.ts';
import { requireTradedToken } from './traded-token.ts';
import { rewardTaxOf } from '../../domain/fee-models.ts';

/** Names that other programs read. */
const fieldNames = {
  bps: figure('Share of the supply, bps'),
  percentOfSupply: figure('The same, percent'),
  supplyTokens: figure('The same in tokens'),
  recipientCount: count('Wallets that get some'),
  quoteToken: record({ symbol: text('Symbol of the token whose holders they are') }),
  settledAt: nullable(moment('When all had theirs')),
};

export const AirdropSchema = record({
  ...AirdropTermsSchema.properties,
  recipientsUri: text('Where that document lies'),
  seal: nullable(
    record({
      root: text('Merkle root of the document (hex, 32 bytes): the seal names it as an account'),
      documentUrl: text('The document: who gets how much by which transaction'),
      signature: nullable(
        text('The transaction that sealed it; null until that is final. Batches are signed only then'),
      ),
      slot: nullable(count('Slot of that transaction')),
    }),
  ),
  transferFee: TransferFeeSchema,
  delivery: record({
    status: Type.Enum(['waiting', 'delivering', 'delivered']),
    deliveredRecipients: count('Wallets that have theirs'),
    deliveredTokens: figure('Sent to them, before the transfer tax'),
    deliveredTokensRaw: raw('The same'),
    deliveredAt: nullable(moment('When all had theirs')),
  }),
  ...fieldNames,
});

type AirdropAnswer = Static<typeof AirdropSchema>;

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

/** Absent while airdrops are not offered. */
export function airdropGet(app: ApiInstance, { db, switches, config }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint }: Static<typeof MintParamsSchema>) => {
    const data: Static<typeof TokenAirdropSchema> = { mint, airdrop: await airdropOf(db, config.siteUrl, mint) };
    return { data };
  });
  const route = {
    schema,
    config: { feature: 'airdrops' },
    onRequest: async () => {
      if (!areAirdropsOffered(await switches.read())) throw new AppError('not_found', 'airdrops are not available');
    },
  } as const;
  app.get('/tokens/:mint/airdrop', route, async (request, reply) => cache.send(request, reply, request.params));
}

async function airdropOf(db: Db, siteUrl: string, mint: string): Promise<AirdropAnswer | null> {
  await requireTradedToken(db, mint);
  const [airdrop, launch] = await Promise.all([airdrops.byMint(db, mint), launches.byMint(db, mint)]);
  const terms = launch?.terms;
  const tax = terms ? rewardTaxOf(terms.fee) : null;
  if (!airdrop || !terms?.airdrop || tax === null) return null;
  const { recipientsUri } = airdrop;
  const agreed = airdropTermsAnswer(terms.airdrop);
  return {
    ...agreed,
    bps: shareBps(BigInt(agreed.tokensRaw)),
    percentOfSupply: agreed.percent,
    supplyTokens: agreed.tokens,
    recipientCount: agreed.recipients,
    quoteToken: { symbol: terms.quoteToken.symbol },
    settledAt: airdrop.deliveredAt?.toISOString() ?? null,
    recipientsUri,
    seal: sealAnswer(siteUrl, airdrop),
    transferFee: { bps: tax },
    delivery: deliveryAnswer(airdrop, await airdrops.progressOf(db, airdrop.quoteId)),
  };
}

function sealAnswer(siteUrl: string, { sealedRoot, sealSignature, sealSlot }: Airdrop): AirdropAnswer['seal'] {
  if (sealedRoot === null) return null;
  return {
    root: sealedRoot,
    documentUrl: documentUrl(siteUrl, sealedRoot),
    signature: sealSignature,
    slot: sealSlot === null ? null : toInteger(sealSlot),
  };
}

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
