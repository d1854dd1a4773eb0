import Type from 'typebox';
import { SWITCH_VALUES } from '../switches.ts';

const raw = Type.String({ pattern: '^\\d+$' });
const text = Type.String();
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const slot = Type.Integer({ minimum: 0 });
const slotOrNull = Type.Union([slot, Type.Null()]);
const rawOrNull = Type.Union([raw, Type.Null()]);
const integer = Type.Integer({ minimum: 0 });

/** Event bodies as the triggers write them: the functions write_…_event of db/catalogue/schema.txt. */
export const storedBodies = {
  launch: Type.Object({
    quoteId: text,
    paymentSignature: textOrNull,
    refundSignature: textOrNull,
    slot: slotOrNull,
  }),
  token: Type.Object({ slot: slotOrNull, createdAt: text, marketCapUsd: textOrNull }),
  trade: Type.Object({
    signatureHex: text,
    index: integer,
    slot,
    tradedAt: text,
    side: Type.Enum(['buy', 'sell']),
    baseRaw: raw,
    quoteRaw: raw,
    priceQuote: text,
    quoteUsd: textOrNull,
  }),
  round: Type.Object({
    id: text,
    number: integer,
    note: textOrNull,
    budgetRaw: rawOrNull,
    holders: Type.Union([integer, Type.Null()]),
    sealedRoot: textOrNull,
    paidRaw: raw,
    recipients: integer,
  }),
  payout: Type.Object({
    roundId: text,
    number: integer,
    amountRaw: raw,
    rentRaw: raw,
    quoteUsd: textOrNull,
    signature: text,
    slot,
    landedAt: text,
  }),
  claim: Type.Object({ intentId: text, signature: text, slot: slotOrNull, baseRaw: raw, quoteRaw: raw }),
  harvest: Type.Object({
    signature: text,
    slot,
    quoteMint: text,
    baseRaw: raw,
    quoteRaw: raw,
    valueUsd: textOrNull,
    buybackBps: integer,
    harvestedAt: text,
  }),
  burn: Type.Object({
    signature: text,
    kind: Type.Enum(['fee-sweep', 'buyback', 'flywheel']),
    amountRaw: raw,
    valueUsd: textOrNull,
    burnedAt: text,
  }),
  buyback: Type.Object({
    id: text,
    kind: Type.Enum(['buyback', 'flywheel']),
    quoteMint: text,
    spentRaw: raw,
    boughtRaw: raw,
    quoteUsd: textOrNull,
    signature: text,
    slot,
  }),
  airdrop: Type.Object({ shareRaw: raw, deliveredRaw: raw, recipients: integer, recipientsUri: text }),
  pair: Type.Object({ symbol: text, name: text, category: text }),
  switch: Type.Object({ name: Type.Enum(Object.keys(SWITCH_VALUES)), value: text }),
};
