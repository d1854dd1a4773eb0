/** Labels of `slipway_books_findings`, each with a line in the runbook. */
export const FINDING_KINDS = [
  'launch-unknown',
  'claim-unknown',
  'run-without-row',
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
