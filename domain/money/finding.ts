/** Labels of `slipway_books_findings`. */
export const FINDING_KINDS = [
  'launch-unknown',
  'claim-unknown',
  'run-without-row',
  'plan-unknown',
  'not-compared',
  'lane-ahead',
  'lane-below',
  'lane-undecided',
  'lane-broken',
  'unexplained',
  'unbooked',
  'never-ended',
  'final-missing',
  'dead-landed',
  'paid-unknown',
  'pot-short',
  'treasury-short',
  'burn-short',
  'airdrop-short',
  'supply-above',
  'restock-short',
  'account-frozen',
  'account-altered',
  'unread',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export const FINDING_MEANING: Readonly<Record<FindingKind, string>> = {
  'launch-unknown': 'the chain has a launch of this platform that the database does not know',
  'claim-unknown': 'the chain has a claim that this platform signed and the database does not know',
  'run-without-row': 'a workflow waits for a row that the database does not have',
  'plan-unknown': 'the database lacks the plan of a reward round that is sealed, so who was paid is not in the books',
  'not-compared': 'a history could not be read whole, so what is missing in the books is not known',
  'lane-ahead': 'the chain has a movement that the ledger does not know',
  'lane-below': 'the ledger says that a movement is final, and the chain has not got it',
  'lane-undecided': 'no quorum of RPC endpoints says the same of a lane',
  'lane-broken': 'the steps of a lane in the database do not lead to its value: it was restored in parts',
  unexplained: 'a final movement has no purpose in the ledger',
  unbooked: 'a movement is final in the ledger, and its process has not booked it',
  'never-ended': 'a transaction can not land any more, and the ledger has not ended it',
  'final-missing': 'the ledger says that a transaction is final, and the chain has not got it',
  'dead-landed': 'the ledger says that a transaction is dead, and the chain has it',
  'paid-unknown': 'a launch was never charged by the books, and the chain shows its payment or its mint',
  'pot-short': 'the pot of a reward coin holds less than its books say',
  'treasury-short': 'the treasury holds less of a quote token than is set aside for purchases',
  'burn-short': 'a wallet of the platform holds less of a token than it has yet to burn',
  'airdrop-short': 'the wallet of a launch holds less than what its airdrop has yet to deliver',
  'supply-above': 'the chain has more of a token than the booked burns leave',
  'restock-short': 'a purchase of quote tokens brought less than what was signed; its pair is not bought any more',
  'account-frozen': 'the issuer of a token has frozen an account that the platform needs: nothing leaves or reaches it',
  'account-altered': 'an account of the platform has another owner, a delegate or a demand that the service never sets',
  unread: 'no quorum of RPC endpoints says the same of an account',
};

/** The runbook's line of each kind: what an operator does. Commands are those of `ops`. */
export const FINDING_REMEDY: Readonly<Record<FindingKind, string>> = {
  'launch-unknown':
    'a restore or failover: `launches adopt`. Strangers cannot cause it: the launch wallet signed, and its key derives from a seed. For one without terms and without a submission, `books close launch/QUOTE_ID` ends the page; its payment keeps the answer 409',
  'claim-unknown':
    'the creator was paid, and the claim is missing in lists: `books close claim/SIGNATURE` once it is noted',
  'run-without-row':
    'a workflow of a row that was lost. Adopt its launch; terminate the workflow of an unpaid one or of an unsigned claim',
  'plan-unknown':
    'a restore or failover: `rewards restore-plan FILE`. FILE is the document of the finding’s root; every reader of {SITE_URL}/documents/ROOT has it. The round waits for it. Without any copy, `books close reward/ROUND_ID`',
  'not-compared':
    'no quorum of endpoints has the history whole: add endpoints, or ones with a longer history. Until then the missing rows of that range are unknown',
  'lane-ahead':
    'a restore or failover: `books adopt lane/N`. "no quorum of RPC endpoints shows step …": first add an endpoint with a longer history',
  'lane-below':
    'endpoints lied or lag: check `lanes show` and each endpoint. Chain right → `books correct lane/N`: what was booked beyond it is sent or signed again. Later bookings of processes (payouts, burns) stay',
  'lane-undecided': 'too few endpoints answer: restore or add one',
  'lane-broken':
    '`lanes` and `lane_steps` are of different moments, and a worker does not start. Restore the whole database from one backup; the worker learns from the chain what came after it',
  unexplained:
    'rounds and purchases name theirs before they plan. Else find the purpose on an explorer: `books adopt step/LANE/NUMBER --purpose …`; only the right one is accepted',
  unbooked:
    'the process stands still: `rewards retry`, `fee-sweeps retry`, `airdrops retry`, `buybacks retry`; its log says why',
  'never-ended': 'its process has not returned to it: retry that; else `books bury transaction/SIGNATURE`',
  'final-missing': 'look for the signature at several endpoints. Really gone → `books correct transaction/SIGNATURE`',
  'dead-landed':
    '`books adopt transaction/SIGNATURE`. Launch is `not_landed` → `books correct launch/QUOTE_ID` does both',
  'paid-unknown':
    'it happened. `books correct launch/QUOTE_ID` parks it; then `launches resolve`: `record` where the token exists, else mostly `refund`. The finding stays until then',
  'pot-short':
    'find what took it (explorer, `unexplained`): a leaked seed is worse than this finding. Then `books correct pot/MINT`, or send the missing amount to the pot',
  'treasury-short': 'revenue’s reserve was spent: send it back to the treasury',
  'burn-short':
    'the tokens are gone: `books close buyback/ID` or `books close fee-sweep/MINT/NUMBER` ends the work without the burn',
  'airdrop-short':
    'send the tokens to the launch wallet, or `books close airdrop/QUOTE_ID`: the remaining recipients get nothing',
  'supply-above': '`books correct supply/MINT`: burns missing on the chain leave books and sums',
  'restock-short':
    'find out whether endpoint, aggregator or key lied, or the code is wrong; the finding has the transaction. Then `books correct restock/ROUND_ID`',
  'account-frozen':
    'nothing is lost while it is frozen, and no command thaws it: ask the issuer. See the chapter on frozen and altered accounts',
  'account-altered': 'treat the key as leaked. See the chapter on frozen and altered accounts',
  unread:
    'too few endpoints answer: restore or add one. Of `launch/…`: its wallet holds the payment’s amount and no two endpoints reach back to the quote: add one with a longer history',
};

export interface Finding {
  readonly kind: FindingKind;
  /** Kind/id, as `lane/7`; remedies refer to it. */
  readonly subject: string;
  readonly books: string;
  /** Finalized, by a quorum. */
  readonly chain: string;
}

export const REMEDIES = ['adopt', 'bury', 'correct', 'close'] as const;
export type Remedy = (typeof REMEDIES)[number];
