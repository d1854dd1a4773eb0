import type { ShownLog } from '../log/log-document.ts';
import { DocumentError, type DocumentRow, readDocument, type SealedDocument } from '../../proof/lines.ts';
import { isAddress } from '../../solana/bytes.ts';
import { Difference } from '../check.ts';
import type { Decimal } from '../decimal.ts';
import type { ObservationWindow } from './draw.ts';
import {
  addressIn,
  amountOf,
  decimalIn,
  type Fields,
  priceIn,
  recordIn,
  recordsIn,
  rootIn,
  rootOf,
  textIn,
  wholeIn,
  wholesIn,
} from '../head-fields.ts';

/** Raw units. */
export interface HolderRow {
  readonly owner: string;
  /** Balance at each observation. */
  readonly held: readonly bigint[];
  readonly outcome: Outcome;
  /** Token accounts beside the associated one that held something; `+`: too many to be named. */
  readonly accounts: readonly string[] | '+';
}

export type Outcome =
  | { readonly kind: 'paid'; readonly n: number; readonly amountRaw: bigint; readonly rentRaw: bigint }
  /** `rentRaw`: rent of the account that an owner with too small a share does not have. */
  | { readonly kind: 'leftOut'; readonly reason: string; readonly rentRaw: bigint };

export interface RoundMovement {
  readonly kind: string;
  readonly signature: string;
  readonly slot: number;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

export interface Observation {
  readonly n: number;
  /** Of the drawn block. */
  readonly slot: number;
  readonly blockhash: string;
  /** Of each endpoint's answer. */
  readonly answerSlots: readonly number[];
  /** An owner's balance is the one at this place among the answers' balances, the largest first; from 1. */
  readonly quorum: number;
  /** Reached by a quorum of the answers. */
  readonly readSlot: number;
}

export interface RentPayout {
  readonly owner: string;
  readonly n: number;
  readonly amountRaw: bigint;
}

/** A sealed log, by its number and its root, hex. */
export interface TableName {
  readonly number: number;
  readonly root: string;
}

/** The prices in USD as the document writes them. */
export interface StatedUsd {
  readonly quoteUsd: string;
  readonly solUsd: string;
  /** Of the quote token's price. */
  readonly source: string;
  readonly pricedAt: string;
}

/** The figures that the thresholds follow from. */
export interface StatedPrices {
  /** Whole quote tokens for a whole coin. */
  readonly averagePrice: Decimal;
  /** USD for a whole quote token. */
  readonly quoteUsd: Decimal;
  readonly minHoldingUsd: Decimal;
  readonly minPayoutUsd: Decimal;
  readonly stated: StatedUsd;
  /** The sealed log that they are from; null: the platform alone states them. */
  readonly table: TableName | null;
}

export interface RoundDocument {
  /** Hex. */
  readonly root: string;
  readonly genesisHash: string;
  readonly mint: string;
  readonly quoteMint: string;
  readonly pool: string;
  readonly pot: string;
  readonly number: number;
  readonly id: string;
  /** Of the sealed document before it, hex; null for the first. */
  readonly previous: string | null;
  /** Finalized at the plan. */
  readonly openedSlot: number;
  readonly window: ObservationWindow;
  readonly observations: readonly Observation[];
  readonly movements: readonly RoundMovement[];
  readonly budgetRaw: bigint;
  readonly restRaw: bigint;
  readonly minimumRaw: bigint;
  readonly leastPayoutRaw: bigint;
  readonly prices: StatedPrices;
  /** Average price before the sale, whole quote tokens for a whole coin; null without a sale. */
  readonly saleAverage: Decimal | null;
  readonly rentPayout: RentPayout | null;
  readonly rows: readonly HolderRow[];
}

/** @throws Difference where it is no such document */
export async function readRoundDocument(
  text: AsyncIterable<string> | Iterable<string>,
  source: string,
): Promise<RoundDocument> {
  const rows: HolderRow[] = [];
  try {
    const document = await readDocument(text, (row) => rows.push(rowOf(row)));
    return { ...headOf(document), rows };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const expected = { value: 'the document of a reward round', from: 'docs/verify.md' };
    throw new Difference('the document cannot be read', expected, { value: error.message, from: source });
  }
}

const PAID = /^(\d{1,9}):(\d+):(\d+)$/;
const LEFT_OUT = /^([a-zA-Z]+)(?::(\d+))?$/;
const HELD = /^\d+$/;
/** Accounts that a row names. */
const MOST_ACCOUNTS = 16;

function rowOf(row: DocumentRow): HolderRow {
  const [owner = '', ...fields] = row;
  if (!isAddress(owner)) throw new DocumentError(`a row is of "${owner}", which is no address`);
  const end = fields.findIndex((field) => !HELD.test(field));
  const [held, [outcome = '', accounts, ...more]] = [fields.slice(0, end), fields.slice(end)];
  if (end < 1 || more.length > 0) throw new DocumentError(`a row has ${row.length} fields: ${row.join(' ')}`);
  return {
    owner,
    held: held.map((raw) => amountOf(raw, `a balance of ${owner}`)),
    outcome: outcomeOf(outcome, owner),
    accounts: accounts === undefined ? [] : accountsOf(accounts, owner),
  };
}

function accountsOf(text: string, owner: string): readonly string[] | '+' {
  if (text === '+') return text;
  const accounts = text.split(',');
  const isAscending = accounts.every((account, index) => index === 0 || account > accounts[index - 1]!);
  if (accounts.length > MOST_ACCOUNTS || !isAscending || !accounts.every(isAddress))
    throw new DocumentError(`the accounts of ${owner} are "${text}"`);
  return accounts;
}

function outcomeOf(text: string, owner: string): Outcome {
  const [, n, amount, rent] = PAID.exec(text) ?? [];
  if (n !== undefined && amount !== undefined && rent !== undefined)
    return { kind: 'paid', n: Number(n), amountRaw: BigInt(amount), rentRaw: BigInt(rent) };
  const [, reason, due] = LEFT_OUT.exec(text) ?? [];
  if (reason === undefined) throw new DocumentError(`the outcome of ${owner} is "${text}"`);
  return { kind: 'leftOut', reason, rentRaw: BigInt(due ?? 0) };
}

function headOf({ root, head }: SealedDocument): Omit<RoundDocument, 'rows'> {
  if (head['kind'] !== 'reward-round') throw new DocumentError(`it is of the kind ${JSON.stringify(head['kind'])}`);
  const named = (field: string) => textIn(head, field);
  const amount = (field: string) => amountOf(head[field], field);
  return {
    root: rootOf(root),
    genesisHash: named('genesisHash'),
    mint: addressIn(head, 'mint'),
    quoteMint: addressIn(head, 'quoteMint'),
    pool: addressIn(head, 'pool'),
    pot: addressIn(head, 'pot'),
    number: wholeIn(head, 'number'),
    id: named('id'),
    previous: head['previous'] === null ? null : rootIn(head, 'previous'),
    openedSlot: wholeIn(head, 'openedSlot'),
    window: windowOf(recordIn(head, 'window')),
    observations: recordsIn(head, 'observations').map(observationOf),
    movements: recordsIn(head, 'movements').map(movementOf),
    budgetRaw: amount('budgetRaw'),
    restRaw: amount('restRaw'),
    minimumRaw: amount('minimumRaw'),
    leastPayoutRaw: amount('leastPayoutRaw'),
    prices: pricesOf(recordIn(head, 'prices'), recordIn(head, 'rules')),
    saleAverage: head['saleAverage'] === null ? null : priceIn(head, 'saleAverage'),
    rentPayout: head['rentPayout'] === null ? null : rentPayoutOf(recordIn(head, 'rentPayout')),
  };
}

function pricesOf(prices: Fields, rules: Fields): StatedPrices {
  return {
    averagePrice: priceIn(prices, 'averagePrice'),
    quoteUsd: priceIn(prices, 'quoteUsd'),
    minHoldingUsd: decimalIn(rules, 'minHoldingUsd'),
    minPayoutUsd: decimalIn(rules, 'minPayoutUsd'),
    stated: {
      quoteUsd: textIn(prices, 'quoteUsd'),
      solUsd: textIn(prices, 'solUsd'),
      source: textIn(prices, 'source'),
      pricedAt: textIn(prices, 'pricedAt'),
    },
    // Documents of release 0.1.0 have no field.
    table: (prices['table'] ?? null) === null ? null : tableOf(recordIn(prices, 'table')),
  };
}

function tableOf(value: Fields): TableName {
  return { number: wholeIn(value, 'number'), root: rootIn(value, 'root') };
}

function windowOf(value: Fields): ObservationWindow {
  return { slot: wholeIn(value, 'slot'), slots: wholeIn(value, 'slots') };
}

function observationOf(fields: Fields): Observation {
  return {
    n: wholeIn(fields, 'n'),
    slot: wholeIn(fields, 'slot'),
    blockhash: textIn(fields, 'blockhash'),
    answerSlots: wholesIn(fields, 'answerSlots'),
    quorum: wholeIn(fields, 'quorum'),
    readSlot: wholeIn(fields, 'readSlot'),
  };
}

function movementOf(fields: Fields): RoundMovement {
  return {
    kind: textIn(fields, 'kind'),
    signature: textIn(fields, 'signature'),
    slot: wholeIn(fields, 'slot'),
    baseRaw: amountOf(fields['baseRaw'], 'baseRaw'),
    quoteRaw: amountOf(fields['quoteRaw'], 'quoteRaw'),
  };
}

function rentPayoutOf(value: Fields): RentPayout {
  return { owner: textIn(value, 'owner'), n: wholeIn(value, 'n'), amountRaw: amountOf(value['amountRaw'], 'rent') };
}

/** Shows the sealed log of this root. @throws NotProvable where it cannot */
export type ShowLog = (table: TableName, document: RoundDocument) => ShownLog;
