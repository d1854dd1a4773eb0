import bs58 from 'bs58';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { amountAnswer, toNumber, toNumberOrNull } from '../answer-figures.ts';
import { burnSourceOf } from '../burn.ts';
import { priceInUsd, worthUsd } from '../pool-price.ts';
import { documentUrl } from '../proof/document-url.ts';
import { toCursor } from './event-cursor.ts';
import type { EventMints, EventToken } from './event-mints.ts';
import type { EventSubject, EventType } from './event-types.ts';
import type { StoredEvent } from './stored-event.ts';
import { storedBodies } from './stored-bodies.ts';

export interface EventContext {
  readonly mints: EventMints;
  readonly siteUrl: string;
}

type SubjectOf = (event: StoredEvent, context: EventContext) => object;

/** An event as every reader gets it, with the field of its subject. api/events/events.schema.ts describes it. */
export type EventMessage = {
  readonly id: string;
  readonly type: EventType;
  readonly recordedAt: string;
  readonly mint: string | null;
  readonly wallet: string | null;
  readonly creator: string | null;
} & { readonly [Subject in EventSubject]?: ReturnType<(typeof SUBJECTS)[Subject]> };

export function eventMessage(event: StoredEvent, context: EventContext): EventMessage {
  const { place, at, type, mint, wallet, creator } = event;
  const subject = subjectOf(event);
  return {
    id: toCursor(place),
    type,
    recordedAt: at.toISOString(),
    mint,
    wallet,
    creator,
    [subject]: SUBJECTS[subject](event, context),
  };
}

const SUBJECTS = {
  launch: ({ body }) => parsed(storedBodies.launch, body),
  token: (event, context) => {
    const { slot, createdAt, marketCapUsd } = parsed(storedBodies.token, event.body);
    const highestMarketCapUsd = toNumberOrNull(marketCapUsd);
    return { ...tokenOf(event, context), slot, createdAt: iso(createdAt), highestMarketCapUsd };
  },
  trade: tradeAnswer,
  round: roundAnswer,
  payout: (event, context) => {
    const { roundId, number, amountRaw, quoteUsd, signature, slot, landedAt } = parsed(storedBodies.payout, event.body);
    const { quoteMint, decimals } = quoteOf(event, context);
    return {
      roundId,
      roundNumber: number,
      quoteMint,
      ...amountAnswer('amount', BigInt(amountRaw), decimals),
      valueUsd: worth(amountRaw, decimals, quoteUsd),
      signature,
      slot,
      paidAt: iso(landedAt),
    };
  },
  claim: (event, context) => {
    const { intentId, signature, slot, baseRaw, quoteRaw } = parsed(storedBodies.claim, event.body);
    const { quoteMint, decimals } = quoteOf(event, context);
    return {
      intentId,
      signature,
      slot,
      quoteMint,
      ...amountAnswer('base', BigInt(baseRaw), tokenOf(event, context).decimals),
      ...amountAnswer('quote', BigInt(quoteRaw), decimals),
    };
  },
  harvest: (event, context) => {
    const { signature, slot, quoteMint, baseRaw, quoteRaw, valueUsd, buybackBps, harvestedAt } = parsed(
      storedBodies.harvest,
      event.body,
    );
    return {
      signature,
      slot,
      quoteMint,
      ...amountAnswer('quote', BigInt(quoteRaw), decimalsOf(quoteMint, context)),
      ...amountAnswer('base', BigInt(baseRaw), tokenOf(event, context).decimals),
      valueUsd: toNumberOrNull(valueUsd),
      buybackBps,
      harvestedAt: iso(harvestedAt),
    };
  },
  burn: (event, context) => {
    const { signature, kind, amountRaw, valueUsd, burnedAt } = parsed(storedBodies.burn, event.body);
    return {
      signature,
      valueUsdAtBurn: toNumberOrNull(valueUsd),
      source: burnSourceOf(kind),
      burnedAt: iso(burnedAt),
      ...amountAnswer('amount', BigInt(amountRaw), decimalsOf(event.mint, context)),
    };
  },
  buyback: (event, context) => {
    const { kind, quoteMint, spentRaw, boughtRaw, quoteUsd, signature, slot } = parsed(
      storedBodies.buyback,
      event.body,
    );
    const decimals = decimalsOf(quoteMint, context);
    return {
      kind,
      quoteMint,
      ...amountAnswer('spent', BigInt(spentRaw), decimals),
      spentValueUsd: worth(spentRaw, decimals, quoteUsd),
      ...amountAnswer('bought', BigInt(boughtRaw), decimalsOf(event.mint, context)),
      signature,
      slot,
    };
  },
  airdrop: (event, context) => {
    const { shareRaw, deliveredRaw, recipients, recipientsUri } = parsed(storedBodies.airdrop, event.body);
    const { decimals } = tokenOf(event, context);
    return {
      ...amountAnswer('share', BigInt(shareRaw), decimals),
      ...amountAnswer('delivered', BigInt(deliveredRaw), decimals),
      recipientCount: recipients,
      recipientsUri,
    };
  },
  pair: ({ body }) => parsed(storedBodies.pair, body),
  switch: ({ body }) => parsed(storedBodies.switch, body),
} satisfies Readonly<Record<EventSubject, SubjectOf>>;

function tradeAnswer(event: StoredEvent, context: EventContext) {
  const trade = parsed(storedBodies.trade, event.body);
  const { quoteMint, decimals } = quoteOf(event, context);
  const { priceQuote, quoteUsd, quoteRaw, baseRaw } = trade;
  return {
    signature: bs58.encode(Buffer.from(trade.signatureHex, 'hex')),
    index: trade.index,
    slot: trade.slot,
    tradedAt: iso(trade.tradedAt),
    side: trade.side,
    ...amountAnswer('amount', BigInt(baseRaw), tokenOf(event, context).decimals),
    ...amountAnswer('quote', BigInt(quoteRaw), decimals),
    quoteMint,
    priceQuote: toNumber(priceQuote),
    priceUsd: quoteUsd === null ? null : toNumber(priceInUsd(priceQuote, quoteUsd)),
    valueUsd: worth(quoteRaw, decimals, quoteUsd),
  };
}

function roundAnswer(event: StoredEvent, context: EventContext) {
  const { id, number, note, budgetRaw, holders, sealedRoot, paidRaw, recipients } = parsed(
    storedBodies.round,
    event.body,
  );
  const { quoteMint, decimals } = quoteOf(event, context);
  const isDivided = budgetRaw !== null && holders !== null;
  return {
    id,
    number,
    quoteMint,
    division: isDivided
      ? {
          ...amountAnswer('budget', BigInt(budgetRaw), decimals),
          holderCount: holders,
          documentUrl: sealedRoot === null ? null : documentUrl(context.siteUrl, sealedRoot),
        }
      : null,
    payment:
      event.type === 'round.paid'
        ? { ...amountAnswer('paid', BigInt(paidRaw), decimals), recipientCount: recipients }
        : null,
    note,
  };
}

function subjectOf({ type }: StoredEvent): EventSubject {
  const [word] = type.split('.');
  const subject = Object.keys(SUBJECTS).find((known): known is EventSubject => known === word);
  if (subject === undefined) throw new Error(`no answer has a field for events of type ${type}`);
  return subject;
}

/** @throws for a stored body with other fields than its writer gives it */
function parsed<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  return Value.Parse<Schema>(schema, body);
}

function tokenOf({ mint, type }: StoredEvent, { mints }: EventContext): EventToken {
  const token = mint === null ? undefined : mints.tokens.get(mint);
  if (!token) throw new Error(`an event ${type} is about mint ${mint}, which is no token`);
  return token;
}

function quoteOf(event: StoredEvent, context: EventContext): { readonly quoteMint: string; readonly decimals: number } {
  const { quoteMint } = tokenOf(event, context);
  return { quoteMint, decimals: decimalsOf(quoteMint, context) };
}

function decimalsOf(mint: string | null, { mints }: EventContext): number {
  const decimals = mint === null ? undefined : (mints.tokens.get(mint)?.decimals ?? mints.pairs.get(mint));
  if (decimals === undefined) throw new Error(`the decimals of mint ${mint} are not known`);
  return decimals;
}

/** Converts raw quote tokens to USD; null without a price. */
function worth(raw: string, decimals: number, quoteUsd: string | null): number | null {
  return quoteUsd === null ? null : toNumber(worthUsd(BigInt(raw), decimals, quoteUsd));
}

function iso(text: string): string {
  return new Date(text).toISOString();
}
