import Type, { type Static } from 'typebox';
import { feeModelOf } from '../../domain/fee-models.ts';
import { LOGO_MAX_BYTES } from '../../domain/launch-facts.ts';
import type { LaunchTerms } from '../../domain/launch-terms.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { requireRewardAccess, requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema } from '../schemas/parameters.ts';
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
    mode: Type.Enum(['standard', 'reward'], {
      default: 'standard',
      description: '`reward`: a Token-2022 mint with an immutable transfer tax that is paid to holders',
    }),
    feeTier: Type.Optional(Type.Enum(['1%', '2%'], { description: 'Standard launches only; default 1%' })),
    rewardTaxBps: Type.Optional(Type.Enum([100, 300], { description: 'Reward launches only; default 100' })),
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
    poolFeePercent: feeModelOf(fee).poolFeePercent,
    openingMarketCapUsd: opening.marketCapUsd,
    quotePriceUsd: opening.quotePriceUsd,
    metadataUri: terms.metadataUri,
    expiresAt: terms.expiresAt,
    lastValidBlockHeight: payment.lastValidBlockHeight,
  };
}
