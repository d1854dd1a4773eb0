import Type, { type Static } from 'typebox';
import { AIRDROP_SOURCES } from '../../domain/airdrop/airdrop.ts';
import {
  AIRDROP_MAX_BPS,
  AIRDROP_TIERS,
  DEV_BUY_MAX_BPS,
  FEE_TIERS,
  LAUNCH_MODES,
  LOGO_MAX_BYTES,
  REWARD_TAXES_BPS,
} from '../../domain/token-facts.ts';
import { describedWithout, ofFeature } from '../openapi/document.ts';
import { decimal } from '../schemas/decimal.ts';
import { absentAtZero, AddressSchema } from '../schemas/parameters.ts';

/** Two spellings of one text are one name. */
const COUNTED_IN_NFC = ', counted in NFC, which it is put into';

export const PrepareBodySchema = Type.Object(
  {
    creatorWallet: AddressSchema,
    quoteMint: AddressSchema,
    name: Type.String({ description: `1 to 32 bytes of UTF-8${COUNTED_IN_NFC}` }),
    symbol: Type.String({ description: `1 to 10 bytes of UTF-8${COUNTED_IN_NFC}` }),
    logo: Type.String({
      minLength: 1,
      description: `Data URL of type png, jpeg or webp with base64 payload, up to ${LOGO_MAX_BYTES / 1024} KB`,
    }),
    mode: Type.Enum(
      [...LAUNCH_MODES],
      describedWithout('rewardLaunches', 'Reward launches are not available at the moment', {
        default: 'standard',
        description: '`reward`: a Token-2022 mint with an immutable transfer tax that is paid to holders',
      }),
    ),
    feeTier: Type.Optional(Type.Enum([...FEE_TIERS], { description: 'Standard launches only; default 1%' })),
    feeRecipient: Type.Optional({
      ...AddressSchema,
      description:
        'Wallet that gets the Fee Key, and with it the creator’s fees; standard launches only; default: creatorWallet, which still signs and pays',
    }),
    rewardTaxBps: Type.Optional(
      Type.Enum(
        [...REWARD_TAXES_BPS],
        ofFeature('rewardLaunches', {
          type: 'integer',
          description:
            'Reward launches only; default 100. The launch’s own deposit into the pool is taxed too: that part of the supply is burned',
        }),
      ),
    ),
    devBuyPercent: Type.Optional(
      decimal(
        ofFeature(
          'devBuys',
          absentAtZero({
            minimum: 0,
            maximum: DEV_BUY_MAX_BPS / 100,
            description:
              'Share of supply, at most 2.5; excludes devBuySol; 0 is no value and is taken also while dev buys are off',
          }),
        ),
      ),
    ),
    devBuySol: Type.Optional(
      decimal(
        ofFeature(
          'devBuys',
          absentAtZero({
            minimum: 0,
            maximum: 1_000_000,
            description:
              'SOL to spend; buys at most 2.5% of supply; excludes devBuyPercent; 0 is no value and is taken also while dev buys are off',
          }),
        ),
      ),
    ),
    maxLamports: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Most that the payment may take, dev buy and airdrop included; a higher price is refused',
      }),
    ),
    airdropPercent: Type.Optional(
      decimal(
        ofFeature(
          'airdrops',
          absentAtZero({
            minimum: 0,
            maximum: AIRDROP_MAX_BPS / 100,
            description:
              'Share of supply that is held out of the pool, at most 50; reward launches only; delivered after the launch, in transactions of its own; 0 is no value and is taken also while airdrops are off',
          }),
        ),
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
    website: Type.Optional(Type.String({ description: 'Public HTTPS URL; default: the platform’s own page' })),
    twitter: Type.Optional(
      Type.String({ description: '`@name`, `x.com/name`, or an HTTPS URL of x.com or twitter.com' }),
    ),
    telegram: Type.Optional(
      Type.String({ description: '`@name`, `t.me/name`, or an HTTPS URL of t.me or telegram.me' }),
    ),
  },
  { additionalProperties: false },
);

export type PrepareBody = Static<typeof PrepareBodySchema>;
