/** A promise of the service, and the files or folders of `test/` that show it. */
export interface Promised {
  readonly promise: string;
  readonly tests: readonly [string, ...string[]];
  /** The part of the tests that shows it, where it is not all of them. */
  readonly note?: string;
}

/** Every promise of docs/reliability.md by its subject. */
export const PROMISES: Readonly<Record<string, readonly Promised[]>> = {
  launches: [
    {
      promise: '`charged: false` comes from a committed row that excludes every other end',
      tests: ['launch/late-submit.test.ts', 'launch/not-charged.test.ts', 'launch/machine.test.ts'],
      note: 'flaw `refuse-without-row` of the last',
    },
    {
      promise: 'A stolen quote key, or changed stored terms, gets nothing signed',
      tests: ['launch/attacks/stolen-quote-key.campaign.test.ts', 'launch/attacks/changed-terms.campaign.test.ts'],
    },
    {
      promise: "A launch submitted before gets its own answer, also without the quote's key",
      tests: ['launch/late-submit.test.ts'],
    },
    {
      promise: 'Nothing is signed or reserved for a wallet that does not hold its payment',
      tests: ['launch/not-charged.test.ts'],
    },
    {
      promise: 'Unpaid launches and their stored files are bounded; none waits for a slot',
      tests: [
        'launch/unpaid-launches.test.ts',
        'launch/storage.test.ts',
        'launch/attacks/unpaid-launches.campaign.test.ts',
        'worker/slotless-activities.test.ts',
      ],
    },
    {
      promise: 'Late submits fill and hide nothing; each uncharged launch is compared with the chain',
      tests: ['launch/late-quotes.test.ts', 'money/reconcile/uncharged.test.ts'],
    },
    {
      promise: 'Lengthened histories stop nothing',
      tests: ['launch/attacks/long-history.campaign.test.ts', 'chain/rpc/prove-dead.test.ts'],
    },
    {
      promise: 'Nodes that forgot, or lag, prove nothing',
      tests: [
        'launch/pruned-history.campaign.test.ts',
        'launch/has-begun.test.ts',
        'money/adopt.test.ts',
        'money/book-statuses.test.ts',
        'dev/lint/house-rules.test.ts',
      ],
    },
    {
      promise: 'One lying endpoint of three fails no refund, no rest of a paid launch and no lookup table',
      tests: ['launch/attacks/lying-rpc.campaign.test.ts', 'launch/check-exchange.test.ts'],
    },
    {
      promise:
        "A refund is not parked for an unfinal step of its lane or a stranger's gift; a launch wallet counts as emptied by quorum alone",
      tests: ['launch/refund-gift.test.ts', 'launch/attacks/dusted-emptying.campaign.test.ts'],
    },
    {
      promise: 'A payment signed twice is not buried by one of its signatures',
      tests: ['launch/late-refund.campaign.test.ts'],
    },
    {
      promise: 'A decision counts for its parking only; a resume sells no stock at an old price unasked',
      tests: ['launch/resolve.campaign.test.ts'],
    },
    {
      promise: 'Logos are decoded apart, with limits, and stored as pixels alone',
      tests: ['chain/storage'],
    },
    {
      promise: "Names have one spelling; look-alikes are marked; a link bears a service's name only if it leads there",
      tests: ['launch/token-names.test.ts', 'market/look-alike.test.ts', 'web/token-links.test.ts'],
    },
  ],
  claims: [
    {
      promise: 'A claim is paid once or never, whichever process is killed at whichever point',
      tests: ['claim/kills.campaign.test.ts', 'claim/crashes.campaign.test.ts'],
      note: '`kills`: all 44 pairs with `SLOW_TESTS=1`',
    },
    {
      promise: 'Forks, lagging endpoints, a restored database and a lost workflow pay nothing twice',
      tests: ['claim/faults.campaign.test.ts'],
    },
    {
      promise: 'A claim that its creator signs twice is paid once; a changed one is refused',
      tests: ['claim/attacks.test.ts', 'claim/altered.test.ts'],
    },
    {
      promise: 'Claiming 30 coins at once, with client and platform killed anywhere, pays each once',
      tests: ['claim/claim-all.campaign.test.ts'],
    },
  ],
  movements: [
    {
      promise: 'A movement happens once, whatever is repeated, killed, forked, restored or lied',
      tests: [
        'money/lanes',
        'reward/crashes.campaign.test.ts',
        'airdrop/crashes.campaign.test.ts',
        'buyback/crashes.campaign.test.ts',
      ],
    },
    {
      promise:
        'No batch or payout is signed before its seal is final; a sealed plan that a restore lost comes back from its document',
      tests: ['airdrop/stored-airdrops.test.ts', 'reward/seals.test.ts', 'reward/seals.campaign.test.ts'],
    },
    {
      promise: 'A purchase that a restore forgot is booked',
      tests: ['buyback/lost-purchases.campaign.test.ts'],
    },
    {
      promise: 'Work closed while it is signed happens and is booked, or is closed unsigned; a remedy is booked once',
      tests: [
        'money/closings-beside-movements.test.ts',
        'money/closings-after-a-restore.test.ts',
        'money/remedies-beside-bookings.test.ts',
        'money/remedies-beside-launches.test.ts',
      ],
    },
    {
      promise: 'No key signs a message with other accounts than meant',
      tests: ['chain/transactions/checked-message.test.ts', 'restock/lying-tables.test.ts'],
    },
    {
      promise: 'Transactions outside of the ledger are awaited and given up by quorum',
      tests: ['chain/transactions/land.test.ts'],
    },
    {
      promise: "With another treasury or platform wallet than the ledger's nothing is signed or booked",
      tests: ['buyback/crashes.campaign.test.ts'],
    },
    {
      promise: 'Books that differ from the chain are found by kind, each with a working remedy',
      tests: ['money/reconcile'],
    },
    {
      promise:
        'A restored database names each launch and claim that it lacks, and takes launches in again without a second charge',
      tests: ['launch/restore-drill.campaign.test.ts'],
    },
    {
      promise: 'A round that cannot plan stops no open round; bulk work delays neither market index nor janitors',
      tests: ['workflows/open-first.test.ts', 'workflows/watch-queue.test.ts'],
    },
  ],
  "facts of the chain are a quorum's": [
    {
      promise: 'Balances, blockhashes, blocks, rents, existing accounts',
      tests: [
        'money/lanes/liars.campaign.test.ts',
        'chain/rpc/rent.test.ts',
        'chain/rpc/present-accounts.test.ts',
        'chain/rpc/rpc.test.ts',
      ],
    },
    {
      promise: "Where a mint's tokens lie, what its amounts mean, what a transfer takes, who holds it",
      tests: [
        'chain/tokens/agreed-tokens.test.ts',
        'chain/tokens/agreed-holders.test.ts',
        'chain/tokens/shown-amounts.test.ts',
      ],
    },
    {
      promise: "Tier rates, taxes, and an airdrop's recipients",
      tests: ['chain/exchange/raydium/agreed-tiers.test.ts', 'airdrop/lying-endpoint.campaign.test.ts'],
    },
    {
      promise: 'Hints and shared readings decide nothing; one quick liar of three ends no wait',
      tests: ['chain/rpc/landing-hints.test.ts', 'chain/rpc/status-reader.test.ts', 'chain/rpc/quorum-wait.test.ts'],
    },
    {
      promise: 'A swap or slot that one endpoint invented or hides moves nothing',
      tests: ['market/invented-swaps.test.ts', 'market/hidden-swaps.test.ts', 'market/lying-slots.test.ts'],
    },
  ],
  'prices and stock': [
    {
      promise: 'A price moved for moments sells, buys, pays and books nothing, and graduates no coin',
      tests: [
        'launch/prices.test.ts',
        'trading/spendable-prices.test.ts',
        'trading/planned-prices.test.ts',
        'fee-sweep/burn-price.test.ts',
        'market/graduation.test.ts',
      ],
    },
    {
      promise: 'A restock pays little more than the median price; one that brought less than signed stops its pair',
      tests: ['restock/amounts.test.ts', 'restock/refused.test.ts', 'restock/short.test.ts'],
    },
    {
      promise: 'A rising transfer fee takes nothing that is owed; scaled quote tokens are refused',
      tests: ['launch/taxed-quote.test.ts', 'launch/scaled-quote.test.ts'],
    },
    {
      promise: "Dev buys never take revenue's tokens, nor more an hour than the bound, whatever one endpoint says",
      tests: ['launch/dev-buy-stock.test.ts', 'chain/rpc/account-testimonies.test.ts'],
    },
    {
      promise:
        'Frozen stock is not sold, bought again or counted, and is told to creators and operators; frozen tokens hold up no refund or emptying',
      tests: [
        'launch/frozen-stock.test.ts',
        'launch/refund-gift.test.ts',
        'launch/close-accounts.test.ts',
        'restock/amounts.test.ts',
      ],
    },
    {
      promise: 'A ranked token is bought with its own revenue share',
      tests: ['buyback/bounds.test.ts'],
    },
  ],
  rewards: [
    {
      promise:
        'The moments of a round cannot be chosen: a delayed, restarted or second worker, skipped slots, pruned or lying endpoints give the same draw or none',
      tests: [
        'reward/observations.test.ts',
        'reward/draw.test.ts',
        'reward/record.test.ts',
        'chain/rpc/first-block.test.ts',
        'proof/verify-round.test.ts',
      ],
    },
    {
      promise: "A wallet's listed rewards equal the transfers to it on the chain, over 100 rounds with kills",
      tests: ['reward/wallet-rewards.campaign.test.ts'],
    },
    {
      promise: 'Every observed holder is paid, or named or counted in the public record',
      tests: ['reward/left-out.campaign.test.ts', 'reward/record.test.ts', 'reward/observations.campaign.test.ts'],
    },
    {
      promise: 'Tax is withdrawn only where an account brings more than it costs',
      tests: ['reward/withdrawals.test.ts'],
    },
    {
      promise: 'A halted chain, or an empty platform wallet, makes a round wait and say so',
      tests: ['reward/halted-chain.campaign.test.ts', 'reward/empty-wallet.campaign.test.ts'],
    },
  ],
  processes: [
    {
      promise: "The API's database role can change nothing signed or paid",
      tests: ['db/api-role.test.ts'],
    },
    {
      promise: 'Safety follows from the chain and from loopback, not from a variable',
      tests: ['config/chain-rules.test.ts'],
    },
    {
      promise: 'No input makes the server fail, no response is given to another host',
      tests: ['api/any-input.test.ts', 'api/openapi/openapi.test.ts'],
    },
    {
      promise: 'Upstream calls grow with time, not with requests; a slow endpoint delays nothing',
      tests: [
        'claim/upstream.campaign.test.ts',
        'market/holders.test.ts',
        'chain/prices/remembered-reader.test.ts',
        'chain/rpc/endpoints.test.ts',
      ],
    },
    {
      promise: 'API processes on one database share one limit; rows that a stranger can make end',
      tests: ['api/shared-rate-limit.test.ts', 'db/discard.test.ts'],
    },
  ],
};
