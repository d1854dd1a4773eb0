import type { DocumentedCheck } from './documented-check.ts';
import { STATEMENT_CHECKS } from './statement-checks.ts';

/** Every check of `slipway verify`, in the order of its output. A test compares the names with the code. */
export const VERIFY_CHECKS: readonly DocumentedCheck[] = [
  {
    commands: ['round'],
    names: ['document'],
    proven: 'form, order of rows, root; it is of this coin, round and chain',
    open: 'not shown',
  },
  {
    commands: ['round'],
    names: ['sums'],
    proven:
      'one row an owner; payouts, rents and rest are the budget; rows agree with the minimum; pool, burn address and addresses without a key are such',
  },
  {
    commands: ['round'],
    names: ['division'],
    proven: 'the published division again, to the unit',
  },
  {
    commands: ['round'],
    names: ['thresholds'],
    proven: 'minimum holding and least payout again, from the stated rules and prices',
  },
  {
    commands: ['round'],
    names: ['draws'],
    proven: 'each moment again, from the chain, by the [rule](documents.md#the-draw)',
  },
  {
    commands: ['round'],
    names: ['readings'],
    proven: "balances are of the drawn block's slot or later, by a quorum of two",
    open: 'later than 150 slots: the reader could choose',
  },
  {
    commands: ['round'],
    names: ['seal'],
    proven:
      "a finalized transaction names root and pot, by a wallet that pays for the pot's transactions, or by `--platform-wallet`",
    open: "another wallet's seal",
  },
  {
    commands: ['round'],
    names: ['wallets'],
    proven:
      "with `--url`: the list is the one that the round's log seals. A seal counts by the platform wallet of its slot",
    open: 'no log',
  },
  {
    commands: ['round'],
    names: ['table'],
    proven:
      "USD prices, source and time are the [log](documents.md#the-log)'s, to the digit. A platform wallet sealed it before the drawn block and all answers of the last observation, at most 18,000 slots (two hours) before",
    open: 'no log; a newer one',
  },
  {
    commands: ['round'],
    names: ['pot'],
    proven: 'its accounts have no other owner, delegate or closing key now',
    open: "a pot that is no key's",
  },
  {
    commands: ['round'],
    names: ['order'],
    proven: 'the document before is sealed, and no other seal of the pot is between',
  },
  {
    commands: ['round'],
    names: ['window'],
    proven:
      'begun after the previous seal and the plan, read before this seal; prints how many windows could have been used',
  },
  {
    commands: ['round'],
    names: ['before'],
    proven: "no payout before its seal; before a pot's first seal nothing left it",
  },
  {
    commands: ['round'],
    names: ['movements'],
    proven:
      "each collection and sale is stated once and changed the pot by that. Coins left it only by sales to the document's `pool`, of Raydium's program, coin and quote token (printed)",
    open: 'another `pool`; more than `--most`; wrapped SOL in an account that the sale opens and closes; behind the first round, a sale that it lacks',
  },
  {
    commands: ['round'],
    names: ['sale'],
    proven: 'at most 500 bps below the stated average, and that within 1,000 bps of it',
    open: 'otherwise (false, or the market moved); no average',
  },
  {
    commands: ['round'],
    names: ['payouts'],
    proven:
      "up to the next seal, every quote token that left is one row's, once, to its owner's account; rent was kept only for accounts absent at the seal; every row was paid",
    open: 'an unpaid row (closed, frozen and foreign accounts take none); a further program that the pot signed for',
  },
  {
    commands: ['round'],
    names: ['balances'],
    proven:
      'each row that takes part has what its owner held at the slots of the answers, in the associated account and those named. Less is a difference',
    open: 'more: another account would explain it, or there are too many (`+`)',
  },
  {
    commands: ['round'],
    names: ['prices'],
    proven: "they are the market's",
    isAlwaysOpen: true,
  },
  {
    commands: ['launch'],
    names: ['found'],
    proven: 'by a mint: its first transaction, the payment before it',
  },
  {
    commands: ['launch'],
    names: ['bundle'],
    proven:
      'the creator paid one transfer to the launch wallet and the network fee; mint, pool and locks follow at once, by that wallet, each with quote and place',
    open: 'resumed in several blocks: `verify receipt` reads them',
  },
  {
    commands: ['launch'],
    names: ['coin'],
    proven: 'the second transaction makes this mint, whose address signed, and mints the supply once',
    open: 'a further program, or a batch of token instructions, in it',
  },
  {
    commands: ['launch'],
    names: ['mint'],
    proven:
      'no key can mint, freeze, change metadata or tax; one tax, as the launch set it. No extension gives power over holders; no more supply than minted',
  },
  {
    commands: ['launch'],
    names: ['metadata'],
    proven: 'Metaplex metadata, of a mint without its own, are immutable or absent',
  },
  {
    commands: ['launch'],
    names: ['liquidity'],
    proven:
      "one pool of Raydium, of coin and quote token, and two positions of one range; nothing else but the dev buy. Each position's NFT lies with the lock program, and none has less liquidity than the launch gave it. Coins went to launch wallet, pool and creator alone, and no other key has power over that wallet's. Prints pool, quote token and coins",
    open: "another exchange; another program in the pool's transaction or signed for by the launch wallet; a pool that two endpoints show differently, because it is traded",
  },
  {
    commands: ['launch'],
    names: ['keys'],
    proven:
      'the Fee Key of the first position (half of the liquidity; in a 2 % pool three quarters) went to the creator, or the wallet that the payment names; with a tax, to the rewards wallet. The other went to the platform wallet; no key can mint another',
    open: 'without `--url`; a wallet that had its role at another time',
  },
  {
    commands: ['launch'],
    names: ['shown'],
    proven: "with `--url`: pool and quote token at `GET /tokens/{mint}` are the launch's",
  },
  {
    commands: ['launch'],
    names: ['price', 'dev buy', 'share'],
    proven:
      'with the [options of a creator](verify.md#is-this-coin-whole): the payment was no more; the creator got the dev buy asked for; the launch wallet kept the share of the airdrop',
  },
  {
    commands: ['airdrop'],
    names: ['document'],
    proven: 'form, order of rows; it is of this coin, chain and, with `--recipients-hash`, the list of prepare',
  },
  {
    commands: ['airdrop'],
    names: ['list'],
    proven: 'every wallet once; the rows are the list of its hash; equal shares, to the unit',
  },
  {
    commands: ['airdrop'],
    names: ['launch'],
    proven: "wallet and quote are those of the coin's launch, which gave no other key power over the wallet's coins",
    open: "a wallet that is no key's",
  },
  {
    commands: ['airdrop'],
    names: ['tax'],
    proven: "the stated tax is the mint's, and no key can change it",
  },
  {
    commands: ['airdrop'],
    names: ['seal', 'order', 'before'],
    proven:
      'a finalized transaction of the launch wallet names root and coin; it sealed no other document of the coin; no token left it before',
  },
  {
    commands: ['airdrop'],
    names: ['delivered'],
    proven:
      "every token that left is one row's, once, to its wallet's own account, whole but for the tax; every row was delivered. Burned tokens are a difference",
    open: 'a wallet that has nothing yet',
  },
  {
    commands: ['airdrop'],
    names: ['ranking'],
    proven: "the wallets are the largest holders; today's only make it plausible",
    isAlwaysOpen: true,
  },
  {
    commands: ['receipt'],
    names: ['form'],
    proven: 'a receipt of this chain, in its one form',
  },
  {
    commands: ['receipt'],
    names: ['signature', 'key'],
    proven: 'of these bytes, by the key in the header, which is listed as one of `receipts`, now or earlier',
  },
  {
    commands: ['receipt'],
    names: ['chain'],
    proven:
      '`completed`: the four transactions are as stated, also in several blocks. `notCharged`: the blockhash has expired, and the launch wallet, which must sign each, signed none of the launch. `refunded`: it signed one that gave back all that the payment cost',
    open: 'a blockhash that may still count',
  },
  {
    commands: ['receipt'],
    names: ['log'],
    proven:
      'a sealed [log](documents.md#the-log) has it. Without one it is a difference for a retired key, and where two logs lack it that were sealed over two hours later, half an hour apart',
    open: 'else: a platform that was down signs late',
  },
  {
    commands: ['claim'],
    names: ['signed'],
    proven: 'final, succeeded, signed by all signers; the wallet paid its network fee',
  },
  {
    commands: ['claim'],
    names: ['once'],
    proven: 'it begins with the advance of a nonce that another key signs, so its bytes cannot land twice',
  },
  {
    commands: ['claim'],
    names: ['purpose'],
    proven:
      "it names one claim, uses no lookup table, and calls nothing but Raydium's lock program (or `--collect-by`) beside a claim's frame",
  },
  {
    commands: ['claim'],
    names: ['proceeds'],
    proven:
      "all tokens came from one owner, not the wallet, and reached the wallet's own associated accounts, to the unit, less a tax that is computed from the mint",
  },
  {
    commands: ['claim'],
    names: ['lamports'],
    proven: 'the wallet paid network fee and rent of its own new accounts, nothing else',
  },
  {
    commands: ['wallets'],
    names: ['list', 'roles'],
    proven:
      'numbers from 1 without gaps, with `--state` unchanged; one treasury, platform, rewards wallet and receipts key at a time, none retired unused',
  },
  {
    commands: ['wallets'],
    names: ['lanes'],
    proven: "each lane's mint belongs to a listed platform or treasury wallet",
  },
  {
    commands: ['wallets'],
    names: ['coins'],
    proven: 'the rewards wallet withdraws the tax of each coin with a pot; no key can change it',
  },
  {
    commands: ['wallets'],
    names: ['signers'],
    proven:
      'signers of the newest `--most` (20) transactions of the rewards wallet and of `--pots` (20) pots are listed, from a slot no later',
  },
  {
    commands: ['wallets'],
    names: ['seal'],
    proven:
      'a platform wallet sealed the newest `--logs` (10) logs, in a chain, each with the first entries of the list; no wallet is dated before a log that lacks it',
    open: 'an entry in no log after two hours; a log that is not shown',
  },
  ...STATEMENT_CHECKS,
];
