import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AIRDROP_TIERS, FEE_TIERS, MOST_QUOTE_DECIMALS, REWARD_TAXES_BPS } from '../token-facts.ts';
import { UUID_PATTERN } from '../uuid.ts';
import type { LaunchTerms } from './terms.ts';

const closed = { additionalProperties: false } as const;
const Address = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });
const Integer = Type.String({ pattern: '^(0|[1-9][0-9]{0,38})$' });
const Decimal = Type.String({ pattern: '^[0-9]{1,30}(\\.[0-9]{1,30})?$' });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const FeeSchema = Type.Union([
  Type.Object({ mode: Type.Literal('standard'), feeTier: Type.Enum(FEE_TIERS) }, closed),
  Type.Object({ mode: Type.Literal('reward'), rewardTaxBps: Type.Enum(REWARD_TAXES_BPS) }, closed),
]);

const AddressesSchema = Type.Object(
  {
    launchWallet: Address,
    mint: Address,
    positionMints: Type.Tuple([Address, Address]),
    feeKeyMints: Type.Tuple([Address, Address]),
  },
  closed,
);

const OpeningSchema = Type.Object(
  {
    baseIsToken0: Type.Boolean(),
    tick: Type.Integer(),
    sqrtPriceX64: Integer,
    quotePriceUsd: Decimal,
    marketCapUsd: Decimal,
  },
  closed,
);

const DevBuySchema = Type.Object(
  { tokensRaw: Integer, netTokensRaw: Integer, maxQuoteRaw: Integer, lamports: Integer },
  closed,
);

const AirdropSchema = Type.Object(
  {
    source: Type.Literal('quote-holders'),
    tier: Type.Enum(AIRDROP_TIERS),
    shareRaw: Integer,
    recipients: Type.Integer({ minimum: 1 }),
    recipientsHash: Sha256,
    snapshotSlot: Type.Integer({ minimum: 0 }),
    feeLamports: Integer,
    computeUnitPrice: Integer,
  },
  closed,
);

const PaymentSchema = Type.Object(
  {
    lamports: Integer,
    items: Type.Array(
      Type.Object(
        {
          item: Type.Union([Type.Literal('launch'), Type.Literal('devBuy'), Type.Literal('airdrop')]),
          lamports: Integer,
        },
        closed,
      ),
    ),
    message: Type.String(),
    blockhash: Address,
    blockhashSlot: Type.Integer({ minimum: 0 }),
    lastValidBlockHeight: Type.Integer({ minimum: 0 }),
  },
  closed,
);

const NetworkSchema = Type.Object({ tipLamports: Integer, computeUnitPrice: Integer }, closed);

export const LaunchTermsSchema = Type.Object(
  {
    version: Type.Literal(1),
    environment: Type.String({ minLength: 1 }),
    genesisHash: Address,
    quoteId: Type.String({ pattern: UUID_PATTERN }),
    seedId: Type.String({ minLength: 1 }),
    addresses: AddressesSchema,
    creator: Address,
    feeRecipient: Type.Optional(Address),
    name: Type.String({ minLength: 1 }),
    symbol: Type.String({ minLength: 1 }),
    logoHash: Sha256,
    storedLogoHash: Type.Optional(Sha256),
    logoType: Type.Union([Type.Literal('image/png'), Type.Literal('image/jpeg'), Type.Literal('image/webp')]),
    links: Type.Object(
      { website: Type.String(), twitter: Type.Optional(Type.String()), telegram: Type.Optional(Type.String()) },
      closed,
    ),
    metadataUri: Type.String({ minLength: 1 }),
    fee: FeeSchema,
    quoteToken: Type.Object(
      {
        mint: Address,
        symbol: Type.String(),
        decimals: Type.Integer({ minimum: 0, maximum: MOST_QUOTE_DECIMALS }),
        tokenProgram: Address,
      },
      closed,
    ),
    opening: OpeningSchema,
    devBuy: nullable(DevBuySchema),
    airdrop: nullable(AirdropSchema),
    network: NetworkSchema,
    payment: PaymentSchema,
    expiresAt: Type.String({ minLength: 20 }),
  },
  closed,
);

const validator = Compile(LaunchTermsSchema);

/** @throws with the path of the first wrong value */
export function parseLaunchTerms(value: unknown): LaunchTerms {
  if (validator.Check(value)) return value;
  const [first] = validator.Errors(value);
  throw new Error(`launch terms are malformed at "${first?.instancePath ?? ''}": ${first?.message ?? 'unknown'}`);
}
