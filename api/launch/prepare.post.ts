import Type, { type Static } from 'typebox';
import { AIRDROP_SOURCES } from '../../domain/airdrop/airdrop.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';
import {
  AIRDROP_MAX_BPS,
  AIRDROP_TIERS,
  DEV_BUY_MAX_BPS,
  LOGO_MAX_BYTES,
  TOKEN_DECIMALS,
} from '../../domain/token-facts.ts';
import type { DevBuyTerms, LaunchTerms } from '../../domain/launch/terms.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { describedWithout, ofFeature } from '../openapi/document.ts';
import { requireRewardAccess, requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema } from '../schemas/parameters.ts';
import { airdropTermsAnswer } from './airdrop-answer.ts';
import { wantsAirdrop } from './plan-airdrop.ts';
import { wantsDevBuy } from './plan-dev-buy.ts';
import { planLaunch } from './plan-launch.ts';

/** Body of `POST /launches/prepare`. */
export const PrepareBodySchema = Type.Object(
  {
    creatorWallet: AddressSchema,
    quoteMint: AddressSchema,
    name: Type.String({ description: '1 to 32 bytes' }),
    symbol: Type.String({ description: '1 to 10 bytes' }),
    logo: Type.String({
      minLength: 1,
      description: `Data URL of type png, jpeg or webp with base64 payload, up to ${LOGO_MAX_BYTES / 1024} KB`,
    }),
    mode: Type.Enum(
      ['standard', 'reward'],
      describedWithout('rewardLaunches', 'Reward launches are not available at the moment', {
        default: 'standard',
        description: '`reward`: a Token-2022 mint with an immutable transfer tax that is paid to holders',
      }),
    ),
    feeTier: Type.Optional(Type.Enum(['1%', '2%'], { description: 'Standard launches only; default 1%' })),
    rewardTaxBps: Type.Optional(
      Type.Enum([100, 300], ofFeature('rewardLaunches', { description: 'Reward launches only; default 100' })),
    ),
    devBuyPercent: Type.Optional(
      Type.Number(
        ofFeature('devBuys', {
          exclusiveMinimum: 0,
          maximum: DEV_BUY_MAX_BPS / 100,
          description: 'Share of supply, at most 2.5; excludes devBuySol',
        }),
      ),
    ),
    devBuySol: Type.Optional(
      Type.Number(
        ofFeature('devBuys', {
          exclusiveMinimum: 0,
          maximum: 1_000_000,
          description: 'SOL to spend; buys at most 2.5% of supply; excludes devBuyPercent',
        }),
      ),
    ),
    airdropPercent: Type.Optional(
      Type.Number(
        ofFeature('airdrops', {
          exclusiveMinimum: 0,
          maximum: AIRDROP_MAX_BPS / 100,
          description: 'Share of supply that is held out of the pool, at most 50; reward launches only',
        }),
      ),
    ),
    airdropTier: Type.Optional(
      Type.Enum(AIRDROP_TIERS, ofFeature('airdrops', { description: 'Number of recipients; default top100' })),
    ),
    airdropSource: Type.Optional(
      Type.Enum(
        AIRDROP_SOURCES,
        ofFeature('airdrops', { description: 'Holders of the quote token; default quote-holders' }),
      ),
    ),
    website: Type.Optional(
      Type.String({ minLength: 1, description: 'Public HTTPS URL; default: the platform’s own page' }),
    ),
    twitter: Type.Optional(Type.String({ minLength: 1, description: 'Public HTTPS URL' })),
    telegram: Type.Optional(Type.String({ minLength: 1, description: 'Public HTTPS URL' })),
  },
  { additionalProperties: false },
);

export type PrepareBody = Static<typeof PrepareBodySchema>;

const schema = {
  tags: ['Launch'],
  summary: 'Prepare a launch',
  description: 'Validates the token and returns a signed quote and the unsigned SOL payment for the creator to sign.',
  body: PrepareBodySchema,
  response: responses('forbidden'),
};

/** `POST /launches/prepare`: a sealed quote and an unsigned payment; nothing is promised or reserved by it. */
export function launchPreparePost(app: ApiInstance, deps: ApiDeps): void {
  app.post('/launches/prepare', { schema, config: { rateGroup: 'launchPrepare' } }, async (request, reply) => {
    const switches = await deps.switches.read();
    requireSwitch(switches, 'launching');
    if (request.body.mode === 'reward') requireRewardAccess(switches, request, deps.config.adminPassword);
    if (wantsDevBuy(request.body)) requireSwitch(switches, 'devBuys');
    if (wantsAirdrop(request.body)) requireSwitch(switches, 'airdrops');
    const { terms, paymentTransaction } = await planLaunch(deps, request.body);
    request.log.info({ quoteId: terms.quoteId, mint: terms.addresses.mint }, 'launch prepared');
    const signedQuote = await deps.launching.sealer.seal(terms);
    return send(request, reply, { signedQuote, paymentTransaction, ...answerOf(terms) });
  });
}

function answerOf(terms: LaunchTerms) {
  const { payment, opening, fee } = terms;
  return {
    quoteId: terms.quoteId,
    mint: terms.addresses.mint,
    payment: {
      lamports: Number(payment.lamports),
      items: payment.items.map(({ item, lamports }) => ({ item, lamports: Number(lamports) })),
    },
    mode: fee.mode,
    ...(fee.mode === 'reward' && { transferFee: { bps: fee.rewardTaxBps } }),
    ...(terms.devBuy && { devBuy: devBuyAnswer(terms.devBuy, fee) }),
    ...(terms.airdrop && { airdrop: airdropTermsAnswer(terms.airdrop) }),
    poolFeePercent: feeModelOf(fee).poolFeePercent,
    openingMarketCapUsd: opening.marketCapUsd,
    quotePriceUsd: opening.quotePriceUsd,
    metadataUri: terms.metadataUri,
    expiresAt: terms.expiresAt,
    lastValidBlockHeight: payment.lastValidBlockHeight,
  };
}

/** Target tokens, exact lamports and, on reward launches, what reaches the creator after the tax. */
function devBuyAnswer({ tokensRaw, netTokensRaw, lamports }: DevBuyTerms, fee: FeeMode) {
  const tokens = (raw: string) => formatUnits(BigInt(raw), TOKEN_DECIMALS);
  return {
    tokens: tokens(tokensRaw),
    tokensRaw,
    lamports: Number(lamports),
    ...(fee.mode === 'reward' && { netTokens: tokens(netTokensRaw), netTokensRaw }),
  };
}
