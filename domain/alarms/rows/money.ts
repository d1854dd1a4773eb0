import type { Alarm } from '../alarm.ts';

const BOOKS = 'npm run ops -- books show';
const FINDINGS = 'slipway_books_findings';

/** Kinds of findings that have an alarm of their own; every other one is `SlipwayBooksDiffer`. */
const APART = ['lane-.*', 'account-.*', 'launch-unknown'];

/** Books, wallets and inventory. */
export const MONEY_ALARMS = {
  SlipwayWalletLow: {
    subject: 'sol',
    severity: 'page',
    when: { kind: 'series', metric: 'slipway_wallet_lamports', by: ['wallet'], reduce: 'min', below: 500_000_000 },
    lasting: '1m',
    line: 'the {wallet} wallet has less than 0.5 SOL',
    chapter: 'rounds-of-money',
    command: 'npm run ops -- status',
  },
  SlipwayInventoryLow: {
    subject: 'inventory',
    severity: 'ticket',
    when: { kind: 'series', metric: 'slipway_inventory_below_mark', by: ['symbol'], reduce: 'max', above: 0 },
    lasting: '15m',
    line: 'too few {symbol} are left for dev buys',
    chapter: 'inventory-and-restocks',
    command: 'npm run ops -- inventory show',
  },
  SlipwayLedgerForgot: {
    subject: 'books',
    severity: 'page',
    when: { kind: 'series', metric: FINDINGS, where: { kind: ['lane-ahead'] }, reduce: 'max', above: 0 },
    lasting: '10m',
    line: 'the chain has movements that the database lacks: it was restored or failed over',
    chapter: 'restoring-a-database-backup',
    command: BOOKS,
  },
  SlipwayLaunchUnknown: {
    subject: 'books',
    severity: 'page',
    when: { kind: 'series', metric: FINDINGS, where: { kind: ['launch-unknown'] }, reduce: 'max', above: 0 },
    lasting: '1m',
    line: '{value} paid launches are on the chain and not in the database: it was restored or failed over',
    chapter: 'restoring-a-database-backup',
    command: 'npm run ops -- launches adopt --note "restored a backup"',
  },
  SlipwayBooksDiffer: {
    subject: 'books',
    severity: 'page',
    when: {
      kind: 'series',
      metric: FINDINGS,
      where: { kind: { not: APART } },
      by: ['kind'],
      reduce: 'max',
      above: 0,
    },
    lasting: '10m',
    line: 'books and chain differ: {kind}',
    chapter: 'books-and-chain',
    command: BOOKS,
  },
  SlipwayAccountUnusable: {
    subject: 'books',
    severity: 'page',
    when: { kind: 'series', metric: FINDINGS, where: { kind: ['account-.*'] }, by: ['kind'], reduce: 'max', above: 0 },
    lasting: '10m',
    line: 'a token account that the platform needs gives or takes nothing: {kind}',
    chapter: 'books-and-chain',
    command: BOOKS,
  },
  SlipwayBooksNotCompared: {
    subject: 'books',
    severity: 'ticket',
    when: { kind: 'age', metric: 'slipway_books_last_check_timestamp_seconds', above: 1_800 },
    lasting: '5m',
    line: 'books and chain were not compared for {value}',
    unit: 'seconds',
    chapter: 'books-and-chain',
    command: BOOKS,
  },
  SlipwayLanesInDoubt: {
    subject: 'books',
    severity: 'page',
    when: {
      kind: 'series',
      metric: FINDINGS,
      where: { kind: ['lane-below', 'lane-undecided'] },
      by: ['kind'],
      reduce: 'max',
      above: 0,
    },
    lasting: '10m',
    line: 'endpoints lag, lied, or are too few to read lanes: {kind}',
    chapter: 'lanes',
    command: 'npm run ops -- lanes show',
  },
  SlipwayRoundLate: {
    subject: 'round',
    severity: 'page',
    when: { kind: 'status', why: 'Temporal knows when a schedule started a round last; its own promises page' },
    line: 'a round has no schedule, is paused, or has not begun for three times its cadence',
    chapter: 'rounds-of-money',
    command: 'npm run ops -- status',
  },
} as const satisfies Record<string, Alarm>;
