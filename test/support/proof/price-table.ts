import { NATIVE_MINT } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import type { LoggedPrice } from '../../../domain/proof/sealed-log.ts';
import { type ScriptedLog, scriptedLog } from './scripted-log.ts';

export const QUOTE_USD = '1';
export const SOL_USD = '100';
const STATED = { source: 'fixed', at: '2026-11-21T12:00:00.000Z' };

/** A log that has prices, and how a round names it. */
export interface PriceTable extends ScriptedLog {
  readonly number: number;
  /** `prices` of a round's head that is planned by it. */
  readonly stated: {
    readonly quoteUsd: string;
    readonly solUsd: string;
    readonly source: string;
    readonly pricedAt: string;
    readonly table: { readonly number: number; readonly root: string };
  };
}

export interface TableFacts {
  readonly genesisHash?: string;
  readonly receiptKey: string;
  readonly number?: number;
  readonly quoteMints: readonly string[];
  readonly solUsd?: string;
}

export function priceTable(facts: TableFacts): PriceTable {
  const { quoteMints, number = 1, solUsd = SOL_USD, ...place } = facts;
  const priceOf = (mint: string, usd: string): LoggedPrice => ({ mint, usd, ...STATED });
  const sol = priceOf(NATIVE_MINT.toBase58(), solUsd);
  const prices = [...quoteMints.map((mint) => priceOf(mint, QUOTE_USD)), sol];
  const log = scriptedLog({ ...place, number, prices });
  const { source, at: pricedAt } = STATED;
  const stated = { quoteUsd: QUOTE_USD, solUsd, source, pricedAt, table: { number, root: log.root } };
  return { ...log, number, stated };
}

/** Coins that one fixture can make. */
const MOST_COINS = 100;

/** Quote tokens to come: a log that is sealed before their rounds has their prices. */
export function quoteTokens() {
  const keys = Array.from({ length: MOST_COINS }, () => Keypair.generate());
  let used = 0;
  return {
    mints: keys.map(({ publicKey }) => publicKey.toBase58()),
    next(): Keypair {
      const key = keys[used++];
      if (key) return key;
      throw new Error(`a fixture makes at most ${MOST_COINS} coins`);
    },
  };
}
