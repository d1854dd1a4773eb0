import Type, { type Static } from 'typebox';
import { BURN_KINDS } from '../../domain/burn.ts';
import { EVENT_TYPES } from '../../domain/events/event-types.ts';
import { SWITCH_VALUES } from '../../domain/switches.ts';
import { amountFields } from '../answers/amounts.ts';
import { burnFields } from '../answers/burns.ts';
import { address, count, figure, ModeSchema, moment, nullable, record, signature, text } from '../answers/fields.ts';

const LaunchEventSchema = record(
  {
    quoteId: text('Id of its signed quote'),
    paymentSignature: nullable(
      signature('Of the fee payment; null until the launch is completed or refunded, as it leads to name and mint'),
    ),
    refundSignature: nullable(signature('Transaction that paid the creator back; null without a refund')),
    slot: nullable(count('Slot of what brought it there; null for what did not happen on the chain')),
  },
  'Of `launch.…`',
  'LaunchEvent',
);

const TokenEventSchema = record(
  {
    name: text('Name'),
    symbol: text('Symbol'),
    decimals: count('Decimals of amounts'),
    pool: address('Pool'),
    mode: ModeSchema,
    quoteMint: address('Mint of the paired token'),
    quoteSymbol: text('Its symbol'),
    slot: nullable(count('Slot of the launch; of `token.graduated` the slot of the figures')),
    createdAt: moment('When it was launched'),
    highestMarketCapUsd: nullable(figure('Of `token.graduated`: the highest market cap by steady prices, USD')),
  },
  'Of `token.…`',
  'TokenEvent',
);

const TradeEventSchema = record(
  {
    signature: signature('Its transaction'),
    index: count('Place among the swaps of the pool in it'),
    slot: count('Slot; a fork that moves a trade withdraws it from one and confirms it in another'),
    tradedAt: moment('When'),
    side: Type.Enum(['buy', 'sell']),
    ...amountFields('amount', 'Tokens'),
    ...amountFields('quote', 'Quote tokens'),
    quoteMint: address('Mint of the paired token'),
    priceQuote: figure('Quote tokens for one token, right after it'),
    priceUsd: nullable(figure('The same in USD')),
    valueUsd: nullable(figure('Worth of the quote side, USD')),
  },
  'Of `trade.…`',
  'TradeEvent',
);

const RoundEventSchema = record(
  {
    id: Type.String({ format: 'uuid', description: 'Id in its transactions and draws' }),
    number: count('From 1, without gaps'),
    quoteMint: address('Mint of what is paid'),
    division: nullable(
      record(
        {
          ...amountFields('budget', 'Divided amount, in quote tokens'),
          holderCount: count('Wallets that held enough at every observation'),
          documentUrl: nullable(text('The document that the payouts follow; null where no holder is paid')),
        },
        'Null before it',
        'RoundEventDivision',
      ),
    ),
    payment: nullable(
      record(
        {
          ...amountFields('paid', 'Paid to all holders, in quote tokens'),
          recipientCount: count('Wallets that were paid'),
        },
        'Of `round.paid` alone',
        'RoundEventPayment',
      ),
    ),
    note: nullable(text('Anything out of the ordinary, for people')),
  },
  'Of `round.…`',
  'RoundEvent',
);

const PayoutEventSchema = record(
  {
    roundId: Type.String({ format: 'uuid', description: 'The round' }),
    roundNumber: count('Its number'),
    quoteMint: address('Mint of what is paid'),
    ...amountFields('amount', 'Paid to the wallet, in quote tokens'),
    valueUsd: nullable(figure('The same in USD by the price of the round')),
    signature: signature('Its transaction, which is final'),
    slot: count('Slot'),
    paidAt: moment('When it landed'),
  },
  'Of `payout.paid`',
  'PayoutEvent',
);

const ClaimEventSchema = record(
  {
    intentId: text('The claim'),
    signature: signature('Its transaction, which is final'),
    slot: nullable(count('Slot')),
    quoteMint: address('Mint of the paired token'),
    ...amountFields('base', 'Fees in the token when the claim was prepared; later ones are collected too'),
    ...amountFields('quote', 'Fees in quote tokens then'),
  },
  'Of `claim.paid`',
  'ClaimEvent',
);

const HarvestEventSchema = record(
  {
    signature: signature('Its transaction, which is final'),
    slot: count('Slot'),
    quoteMint: address('Mint of the paired token'),
    ...amountFields('quote', 'Quote tokens that reached the treasury: revenue'),
    ...amountFields('base', 'Tokens that are burned'),
    valueUsd: nullable(figure('The quote tokens in USD; null where there was no steady price')),
    buybackBps: count('Share of it that buys the platform token, in hundredths of a percent'),
    harvestedAt: moment('When; its UTC day is that of the revenue'),
  },
  'Of `harvest`',
  'HarvestEvent',
);

const BurnEventSchema = record({ ...burnFields, ...amountFields('amount', 'Tokens') }, 'Of `burn`', 'BurnEvent');

const BuybackEventSchema = record(
  {
    kind: Type.Enum([...BURN_KINDS.filter((kind) => kind !== 'fee-sweep')], {
      title: 'BuybackKind',
      description: '`buyback`: of the platform token; `flywheel`: of a ranked one',
    }),
    quoteMint: address('Mint of what was paid'),
    ...amountFields('spent', 'Quote tokens that were paid'),
    spentValueUsd: nullable(figure('The same in USD; null where there was no steady price')),
    ...amountFields('bought', 'Tokens that were bought; their burn is an event of its own'),
    signature: signature('The swap, which is final'),
    slot: count('Slot'),
  },
  'Of `buyback`',
  'BuybackEvent',
);

const AirdropEventSchema = record(
  {
    ...amountFields('share', 'Share of the supply that was planned, in tokens'),
    ...amountFields('delivered', 'Delivered amount, before a transfer tax'),
    recipientCount: count('Wallets that got some'),
    recipientsUri: text('Where the list of recipients lies for ever'),
  },
  'Of `airdrop.delivered`',
  'AirdropEvent',
);

const PairEventSchema = record(
  { symbol: text('Symbol'), name: text('Name'), category: text('Category of the pair') },
  'Of `pair.…`',
  'PairEvent',
);

const SwitchEventSchema = record(
  {
    name: Type.Enum(Object.keys(SWITCH_VALUES), { title: 'SwitchName', description: 'The feature' }),
    value: text('Its value: `on`, `off`, `open` or `admin`'),
  },
  'Of `switch.changed`',
  'SwitchEvent',
);

/** An event has the field that its type's first word names, and no other of these. */
export const subjectSchemas = {
  launch: LaunchEventSchema,
  token: TokenEventSchema,
  trade: TradeEventSchema,
  round: RoundEventSchema,
  payout: PayoutEventSchema,
  claim: ClaimEventSchema,
  harvest: HarvestEventSchema,
  burn: BurnEventSchema,
  buyback: BuybackEventSchema,
  airdrop: AirdropEventSchema,
  pair: PairEventSchema,
  switch: SwitchEventSchema,
} as const;

export type SubjectAnswers = {
  readonly [Subject in keyof typeof subjectSchemas]: Static<(typeof subjectSchemas)[Subject]>;
};

export const EventSchema = record({
  id: text('Its cursor: pass it as `after` to read on behind it. Each event has one, for ever'),
  type: Type.Enum([...EVENT_TYPES], { title: 'EventType', description: 'The event, and how final it is' }),
  recordedAt: moment('When the platform recorded it'),
  mint: nullable(address('The token or pair')),
  wallet: nullable(address('Wallet of the trader, holder, claimant or creator of the launch')),
  creator: nullable(address('Creator of the token or launch')),
  launch: Type.Optional(subjectSchemas.launch),
  token: Type.Optional(subjectSchemas.token),
  trade: Type.Optional(subjectSchemas.trade),
  round: Type.Optional(subjectSchemas.round),
  payout: Type.Optional(subjectSchemas.payout),
  claim: Type.Optional(subjectSchemas.claim),
  harvest: Type.Optional(subjectSchemas.harvest),
  burn: Type.Optional(subjectSchemas.burn),
  buyback: Type.Optional(subjectSchemas.buyback),
  airdrop: Type.Optional(subjectSchemas.airdrop),
  pair: Type.Optional(subjectSchemas.pair),
  switch: Type.Optional(subjectSchemas.switch),
});

export type EventAnswer = Static<typeof EventSchema>;

export const EventsSchema = record({
  events: Type.Array(EventSchema, { description: 'In the order of the log' }),
  pagination: record({
    limit: count('Entries at most'),
    hasMore: Type.Boolean({
      description: 'Whether to read on at once; a filtered page can have more behind it without an entry in it',
    }),
    nextCursor: text('Where the next page begins: never null, so that a reader can wait for later events there'),
  }),
});

/** Fields beside the error of a cursor too old. */
export const goneFields = {
  oldestCursor: Type.Optional(
    text(
      'Of a cursor that is too old, or of before a restore: where to begin again; read what was between from the lists',
    ),
  ),
};
