import Type, { type TProperties } from 'typebox';

/*
 * What programs in the field read from each answer, in their words and not in those of `api/`: names, nesting and types. More fields
 * disturb none of them, so objects are open.
 */

const object = (properties: TProperties) => Type.Object(properties);
const text = Type.String({ minLength: 1 });
const number = Type.Number();
const integer = Type.Integer({ minimum: 0 });
const flag = Type.Boolean();
const key = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });
const signature = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$' });
const raw = Type.String({ pattern: '^\\d+$' });
const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });
const day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' });
const link = Type.String({ pattern: '^https?://' });
const orNull = (schema: Type.TSchema) => Type.Union([schema, Type.Null()]);
const maybe = Type.Optional;

const mode = Type.Enum(['standard', 'reward']);
const network = Type.Enum(['mainnet-beta', 'devnet', 'testnet', 'localnet']);
const raydium = Type.Literal('raydium');
const tax = object({ bps: Type.Enum([100, 300]) });

export const Envelope = Type.Object(
  { data: object({}), meta: object({ generatedAt: time }) },
  { additionalProperties: false },
);

const Pagination = object({ page: integer, pageSize: integer, total: integer, totalPages: integer });

const Market = object({
  priceUsd: number,
  marketCapUsd: number,
  fdvUsd: number,
  volume24hUsd: number,
  peakMarketCapUsd: number,
  priceChange24h: maybe(number),
  liquidityUsd: maybe(number),
});

const airdropFlags = { airdropBps: maybe(number), airdropSupplyRaw: maybe(raw), airdropDeliveredRaw: maybe(raw) };

const Token = object({
  address: key,
  mint: key,
  name: text,
  symbol: text,
  decimals: Type.Literal(9),
  logoUrl: link,
  imageUrl: link,
  url: link,
  metadataUri: link,
  pool: key,
  creator: key,
  quoteMint: key,
  quoteSymbol: text,
  quote: object({
    mint: key,
    symbol: text,
    name: text,
    logoUrl: orNull(link),
    category: text,
    categoryLabel: text,
  }),
  launchpad: raydium,
  quoteOnlyFees: flag,
  mode,
  status: Type.Enum(['new', 'aboutToGraduate', 'graduated']),
  createdAt: time,
  transferFee: maybe(tax),
  flywheel: maybe(Type.Object({ active: Type.Literal(true) }, { additionalProperties: false })),
  links: Type.Object(
    { website: maybe(link), twitter: maybe(link), telegram: maybe(link) },
    { additionalProperties: false },
  ),
  market: Market,
  graduationProgress: Type.Number({ minimum: 0, maximum: 1 }),
  graduatedAt: maybe(time),
  ...airdropFlags,
});

const Launch = object({
  mint: key,
  pool: key,
  name: text,
  symbol: text,
  creator: key,
  launchpad: raydium,
  mode,
  createdAt: time,
  quote: object({ mint: key, symbol: text }),
  transferFee: maybe(tax),
  logoUrl: link,
  startMarketCapUsd: number,
  targetMarketCapUsd: number,
  paymentSignature: signature,
  status: Type.Literal('completed'),
  ...airdropFlags,
});

export const Tokens = object({ tokens: Type.Array(Token), pagination: Pagination, network });
export const OneToken = object({ token: Token, launch: orNull(Launch), network });
export const Launches = object({ launches: Type.Array(Launch), pagination: Pagination });

export const Pairs = object({
  pairs: Type.Array(
    object({
      mint: key,
      symbol: text,
      name: text,
      decimals: integer,
      logoUrl: link,
      category: text,
      categoryLabel: text,
      tokenProgram: key,
      launchable: flag,
      symbolAmbiguous: flag,
    }),
  ),
  selectBy: Type.Literal('mint'),
  ambiguousSymbolCount: integer,
});

const burnSource = Type.Enum(['buyback', 'flywheel', 'quote-revenue', 'auto', 'reward', 'kickstart']);

export const Burns = object({
  mint: key,
  totals: object({
    symbol: text,
    amountRaw: raw,
    amountTokens: number,
    valueUsdAtBurn: number,
    burnCount: integer,
    lastBurnAt: orNull(time),
  }),
  burns: Type.Array(
    object({
      signature,
      symbol: text,
      amountRaw: raw,
      amountTokens: number,
      valueUsdAtBurn: orNull(number),
      source: burnSource,
      burnedAt: time,
    }),
  ),
});

const countedQuote = object({ mint: key, symbol: text, decimals: integer });

const distributed = {
  distributedRaw: raw,
  distributedTokens: number,
  payoutCount: integer,
  holderCount: integer,
  lastPayoutAt: orNull(time),
};

const pending = {
  pendingRaw: raw,
  pendingTokens: number,
  pendingUsd: maybe(number),
  pendingTaxUsd: maybe(number),
  quotePriceUsd: maybe(number),
  transferTaxBps: integer,
  minHoldingUsd: number,
};

export const RewardsOfReward = object({
  mint: key,
  mode: Type.Literal('reward'),
  quote: countedQuote,
  rewards: object({
    ...distributed,
    undistributedRaw: raw,
    undistributedTokens: number,
    ...pending,
    pending: object(pending),
  }),
  base: Type.Null(),
});

export const RewardsOfStandard = object({
  mint: key,
  mode: Type.Literal('standard'),
  message: text,
  rewards: Type.Null(),
});

export const Rewards = object({
  launches: Type.Array(object({ mint: key, quote: countedQuote, ...distributed })),
  recentDistributions: Type.Array(
    object({
      signature,
      mint: key,
      quoteMint: key,
      amountRaw: raw,
      amountTokens: number,
      holderCount: integer,
      distributedAt: time,
    }),
  ),
  baseDistributions: Type.Array(object({})),
  recentBaseDistributions: Type.Array(object({})),
});

export const Revenue = object({
  revenue: object({
    totalRevenueUsd: number,
    platformPairExcludedUsd: number,
    totalBuybackUsd: number,
    boughtBackTokens: number,
    boughtBackValueUsd: number,
    buybackCount: integer,
    lastBuybackAt: orNull(time),
  }),
  burns: object({
    totalValueUsdAtBurn: number,
    burnCount: integer,
    mintCount: integer,
    bySource: Type.Partial(Type.Record(burnSource, object({ amountTokens: number, valueUsd: number, count: integer }))),
  }),
  config: object({ buybacksEnabled: flag, buybackBurnEnabled: flag }),
  recentBuybacks: Type.Array(
    object({
      signature,
      quote: object({ mint: key, symbol: text }),
      spentTokens: number,
      spentValueUsd: orNull(number),
      boughtTokens: number,
      boughtValueUsd: orNull(number),
      burnSignature: orNull(signature),
      boughtAt: time,
    }),
  ),
});

export const RevenueHistory = object({
  network,
  unit: Type.Literal('USD'),
  start: day,
  source: Type.Literal('ledger'),
  coverage: object({
    revenueRows: integer,
    revenueRowsUnpriced: integer,
    buybackRows: integer,
    buybackRowsUnpriced: integer,
  }),
  days: Type.Array(
    object({ date: day, dailyRevenue: number, dailyHoldersRevenue: number, dailyProtocolRevenue: number }),
    { minItems: 1 },
  ),
});

export const Stats = object({
  network,
  tokens: object({
    poolsAvailable: flag,
    total: integer,
    graduated: integer,
    aboutToGraduate: integer,
    rewardLaunches: integer,
    totalMarketCapUsd: number,
    totalVolume24hUsd: number,
  }),
  revenue: object({ totalRevenueUsd: number, totalBuybackUsd: number }),
  burns: object({ totalValueUsdAtBurn: number, burnCount: integer }),
  config: Type.Record(Type.String(), Type.Union([number, flag])),
});

const amount = object({
  mint: key,
  symbol: text,
  decimals: integer,
  amountRaw: raw,
  amountTokens: number,
  amountUsd: maybe(number),
});
const amounts = object({ base: amount, quote: amount });

export const Fees = object({
  mint: key,
  creator: key,
  claimable: amounts,
  claimUrl: Type.String({ pattern: '^/' }),
  claimApi: Type.String({ pattern: '^/' }),
});

export const NoFees = object({ mint: key, creator: Type.Null(), claimable: Type.Null(), reason: text });

export const ClaimPrepared = object({ intentId: text, transaction: text, expiresAt: time, amounts });
export const ClaimSubmitted = object({ signature, alreadySubmitted: flag });

export const Prepared = object({
  signedQuote: text,
  paymentTransaction: text,
  payment: object({ lamports: integer, to: key, sol: number, feeLamports: integer, feeSol: number }),
  devBuy: orNull(object({ tokens: number, netTokens: maybe(number), lamports: integer })),
  airdrop: orNull(object({ recipients: integer, feeLamports: integer })),
  transferFee: orNull(tax),
  poolFeePercent: number,
  mode,
  expiresAt: time,
});

export const Outcome = Type.Union([
  object({ status: Type.Literal('completed'), paymentSignature: signature, mint: key, pool: key }),
  object({ status: Type.Literal('processing'), paymentSignature: signature }),
]);
