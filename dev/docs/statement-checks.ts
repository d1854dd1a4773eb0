import type { DocumentedCheck } from './documented-check.ts';

/** Checks of the commands that compare statements with the chain. */
export const STATEMENT_CHECKS: readonly DocumentedCheck[] = [
  {
    commands: ['statement', 'budget', 'treasury', 'revenue'],
    names: ['list', 'sums'],
    proven:
      'numbers from 1 without gaps, with `--state` unchanged; rows add up to the totals; what came in is what left and is held',
  },
  {
    commands: ['statement'],
    names: ['rows'],
    proven: 'each is one transaction, in its slot, that changed the pot by exactly this',
    open: 'a correction',
  },
  {
    commands: ['statement'],
    names: ['joins'],
    proven:
      'each balance after a row is the one before the next, at last the present one. More came from others; less left by a named transaction',
    open: "a transaction of the last 1,500 slots; a pot that is no key's",
  },
  {
    commands: ['statement'],
    names: ['signed'],
    proven: 'each transaction that the pot signed and that moved its tokens has a row; none gave an account away',
    open: 'another program that it signed for',
  },
  {
    commands: ['statement'],
    names: ['tax'],
    proven:
      "each withdrawal of the coin's tax went to the pot, or to the wallet that burns the deposit's tax and passes the rest on. None gave away the right or its account",
    open: "tax that still lies there; a further program that it signed for; a wallet that is no key's; a history beyond `--most`",
  },
  {
    commands: ['budget'],
    names: ['rows'],
    proven:
      'each share is its part of a harvest that reached the treasury, rounded down; each purchase took exactly what is stated',
  },
  {
    commands: ['budget'],
    names: ['cover'],
    proven: 'after each row, and now, the treasury holds what is set aside',
  },
  {
    commands: ['budget'],
    names: ['markets'],
    proven:
      "each purchase brought coins, all of a coin from one pool of Raydium's program (printed); its wrapped SOL reached accounts with shown balances",
    open: 'another seller',
  },
  {
    commands: ['budget'],
    names: ['burned'],
    proven: 'bought coins came to the treasury alone and left by burns of that mint, each of exactly one purchase',
    open: 'coins that lie there',
  },
  {
    commands: ['treasury'],
    names: ['shares'],
    proven: "each harvest since a budget's first share has one; prints the rates (`shareBps`)",
    open: 'a harvest without one; a rate that fell',
  },
  {
    commands: ['treasury'],
    names: ['joins'],
    proven: 'balances follow each other up to the present; no other key owns, moves from or may close the accounts',
  },
  {
    commands: ['treasury'],
    names: ['closes'],
    proven:
      "in is out and held, to the unit, by kind: harvests, restocks, rents of holders, returns by the platform, foreign income; purchases, dev buys (by their launch's form), burns, and what the operator took. Fees through Raydium's lock program that no row has are a difference",
    open: 'an unexplained movement of the last 1,500 slots',
  },
  {
    commands: ['treasury'],
    names: ['rows', 'cover'],
    proven:
      'each harvest and purchase is one of these, with its amount; no two budgets pay with one purchase; after each it held what is set aside',
  },
  {
    commands: ['revenue'],
    names: ['days'],
    proven: 'each day of `GET /revenue/history` is the sum of its rows, to the cent, and all rows are in it',
  },
  {
    commands: ['revenue'],
    names: ['rows'],
    proven: 'each brought the treasury exactly this, in one transaction',
  },
  {
    commands: ['revenue'],
    names: ['growth'],
    proven:
      "a coin's harvests are what its one position ever earned, by the pool's growth of fees, less what it can collect",
    open: 'a taxed quote token, another exchange. Coins without a harvest are not read',
  },
  {
    commands: ['revenue'],
    names: ['burned'],
    proven:
      'harvested coins came to the platform wallet alone and left by burns of that mint, each of exactly one harvest',
  },
  {
    commands: ['budget', 'revenue'],
    names: ['prices'],
    proven: "each purchase was at the price of the coin's own pool; the USD price is the market's",
    isAlwaysOpen: true,
  },
];
