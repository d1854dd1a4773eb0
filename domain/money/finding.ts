/**
 * How the books can differ from the chain. Each says what differs, and is a label of the metric `slipway_books_findings`; the
 * runbook has a line for each.
 */
export const FINDING_KINDS = [
  'lane-ahead',
  'lane-below',
  'lane-undecided',
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
  'unread',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** What each kind means, in one sentence. */
export const FINDING_MEANING: Readonly<Record<FindingKind, string>> = {
  'lane-ahead': 'the chain has a movement that the ledger does not know',
  'lane-below': 'the ledger says that a movement is final, and the chain has not got it',
  'lane-undecided': 'no quorum of RPC endpoints says the same of a lane',
  unexplained: 'a final movement has no purpose in the ledger',
  unbooked: 'a movement is final in the ledger, and its process has not booked it',
  'never-ended': 'a transaction can not land any more, and nobody has ended it in the ledger',
  'final-missing': 'the ledger says that a transaction is final, and the chain has not got it',
  'dead-landed': 'the ledger says that a transaction is dead, and the chain has it',
  'paid-unknown': 'a launch was never charged by the books, and its wallet holds the payment',
  'pot-short': 'the pot of a reward coin holds less than its books say',
  'treasury-short': 'the treasury holds less of a quote token than is set aside for purchases',
  'burn-short': 'a wallet of the platform holds less of a token than it has yet to burn',
  'airdrop-short': 'the wallet of a launch holds less than what its airdrop has yet to deliver',
  'supply-above': 'the chain has more of a token than the booked burns leave',
  unread: 'no quorum of RPC endpoints says the same of an account',
};

/** One difference between the books and the chain. */
export interface Finding {
  readonly kind: FindingKind;
  /** What it is about, as kind/id, for instance `lane/7` or `transaction/<signature>`: what remedies are given. */
  readonly subject: string;
  /** What the books say. */
  readonly books: string;
  /** What the chain says, at `finalized`, by a quorum. */
  readonly chain: string;
}

/** What an operator can do about a finding. */
export const REMEDIES = ['adopt', 'bury', 'correct', 'close'] as const;
export type Remedy = (typeof REMEDIES)[number];
