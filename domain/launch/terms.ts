import Type, { type Static, type TSchema } from 'typebox';
import { AIRDROP_SOURCES } from '../airdrop/airdrop.ts';
import { parserOf } from '../parser-of.ts';
import { AIRDROP_TIERS, FEE_TIERS, MOST_QUOTE_DECIMALS, REWARD_TAXES_BPS } from '../token-facts.ts';
import { UUID_PATTERN } from '../uuid.ts';

const closed = { additionalProperties: false } as const;
/** base58 */
const Address = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });
/** Raw units or lamports. */
const Integer = Type.String({ pattern: '^(0|[1-9][0-9]{0,38})$' });
const Decimal = Type.String({ pattern: '^[0-9]{1,30}(\\.[0-9]{1,30})?$' });
/** Hex. */
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

type Sealed<T> = T extends object ? { readonly [Name in keyof T]: Sealed<T[Name]> } : T;
type Of<Schema extends TSchema> = Sealed<Static<Schema>>;

const FeeSchema = Type.Union([
  Type.Object({ mode: Type.Literal('standard'), feeTier: Type.Enum(FEE_TIERS) }, closed),
  Type.Object({ mode: Type.Literal('reward'), rewardTaxBps: Type.Enum(REWARD_TAXES_BPS) }, closed),
]);

const AddressesSchema = Type.Object(
  {
    launchWallet: Address,
    mint: Address,
    positionMints: Type.Tuple([Address, Address]),
    /** Mints of the Fee Key NFTs. */
    feeKeyMints: Type.Tuple([Address, Address]),
  },
  closed,
);

/** Only the worker can derive their keys. */
export type LaunchAddresses = Of<typeof AddressesSchema>;

const LinksSchema = Type.Object(
  {
    /** The platform's page unless the creator names one. */
    website: Type.String(),
    twitter: Type.Optional(Type.String()),
    telegram: Type.Optional(Type.String()),
  },
  closed,
);

export type LaunchLinks = Of<typeof LinksSchema>;

const OpeningSchema = Type.Object(
  {
    baseIsToken0: Type.Boolean(),
    tick: Type.Integer(),
    /** Q64.64 */
    sqrtPriceX64: Integer,
    /** Price of one quote token at prepare. */
    quotePriceUsd: Decimal,
    /** Worth of the supply at the opening tick. */
    marketCapUsd: Decimal,
  },
  closed,
);

/** Tick and price as on the exchange (token0 / token1). */
export type PoolOpening = Of<typeof OpeningSchema>;

const DevBuySchema = Type.Object(
  {
    /** Tokens that the swap buys, before transfer tax. */
    tokensRaw: Integer,
    netTokensRaw: Integer,
    /** Most that the swap may pay. */
    maxQuoteRaw: Integer,
    /** The creator pays them for it. */
    lamports: Integer,
  },
  closed,
);

export type DevBuyTerms = Of<typeof DevBuySchema>;

const AirdropSchema = Type.Object(
  {
    source: Type.Enum(AIRDROP_SOURCES),
    tier: Type.Enum(AIRDROP_TIERS),
    /** The part of the supply that stays out of the pool. */
    shareRaw: Integer,
    recipients: Type.Integer({ minimum: 1 }),
    /** Names the recipients' document. */
    recipientsHash: Sha256,
    snapshotSlot: Type.Integer({ minimum: 0 }),
    /** The creator pays them for accounts and network fees. */
    feeLamports: Integer,
    /** Micro-lamports. */
    computeUnitPrice: Integer,
  },
  closed,
);

/** Sealed airdrop; the hash refers to recipients in database and store. */
export type AirdropTerms = Of<typeof AirdropSchema>;

const PaymentItemSchema = Type.Object({ item: Type.Enum(['launch', 'devBuy', 'airdrop']), lamports: Integer }, closed);

/** One item of a launch's price. */
export type PaymentItem = Of<typeof PaymentItemSchema>;

const PaymentSchema = Type.Object(
  {
    lamports: Integer,
    items: Type.Array(PaymentItemSchema),
    /** The message that the creator signs, base64. */
    message: Type.String(),
    blockhash: Address,
    /** Slot in which the blockhash was read; the payment cannot have landed earlier. */
    blockhashSlot: Type.Integer({ minimum: 0 }),
    lastValidBlockHeight: Type.Integer({ minimum: 0 }),
  },
  closed,
);

const NetworkSchema = Type.Object(
  {
    tipLamports: Integer,
    /** Micro-lamports. */
    computeUnitPrice: Integer,
  },
  closed,
);

export type NetworkTerms = Of<typeof NetworkSchema>;

const QuoteTokenSchema = Type.Object(
  {
    mint: Address,
    symbol: Type.String(),
    decimals: Type.Integer({ minimum: 0, maximum: MOST_QUOTE_DECIMALS }),
    tokenProgram: Address,
  },
  closed,
);

export const LaunchTermsSchema = Type.Object(
  {
    version: Type.Literal(1),
    environment: Type.String({ minLength: 1 }),
    genesisHash: Address,
    quoteId: Type.String({ pattern: UUID_PATTERN }),
    /** The addresses derive from it. */
    seedId: Type.String({ minLength: 1 }),
    addresses: AddressesSchema,
    creator: Address,
    /** Wallet that gets the creator's Fee Key instead; standard launches only. */
    feeRecipient: Type.Optional(Address),
    name: Type.String({ minLength: 1 }),
    symbol: Type.String({ minLength: 1 }),
    /** Hash of the logo as it was sent. */
    logoHash: Sha256,
    /** Hash of the logo as it is stored; absent if it is stored as sent. */
    storedLogoHash: Type.Optional(Sha256),
    logoType: Type.Union([Type.Literal('image/png'), Type.Literal('image/jpeg'), Type.Literal('image/webp')]),
    links: LinksSchema,
    /** It is known before the file is stored, because the store is content-addressed. */
    metadataUri: Type.String({ minLength: 1 }),
    fee: FeeSchema,
    quoteToken: QuoteTokenSchema,
    opening: OpeningSchema,
    devBuy: nullable(DevBuySchema),
    airdrop: nullable(AirdropSchema),
    network: NetworkSchema,
    payment: PaymentSchema,
    /** When the blockhash is expected to expire, ISO 8601. */
    expiresAt: Type.String({ minLength: 20 }),
  },
  closed,
);

/**
 * Terms agreed at prepare and sealed into the quote: JSON, amounts as decimal strings. Execution uses only these, so
 * no retry changes them. Every release reads quotes and launches of the others beside it and refuses unknown fields: a
 * new field needs a place of its own, as the wish has (`terms-wish.ts`).
 */
export type LaunchTerms = Of<typeof LaunchTermsSchema>;

/** @throws with the path of the first wrong value */
export const parseLaunchTerms: (value: unknown) => LaunchTerms = parserOf('launch terms are', LaunchTermsSchema);
