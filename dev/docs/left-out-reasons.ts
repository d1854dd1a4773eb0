import type { LeftOutReason } from '../../domain/reward/left-out.ts';
import { table } from './table.ts';

const MEANING: Readonly<Record<LeftOutReason, string>> = {
  belowMinimum: 'held less than `minimumHolding` at every observation; counted, not named',
  notThroughout: 'held enough at one observation and less at another',
  pool: "the coin's pool",
  platformWallet: 'a wallet, escrow or pot of the platform',
  burnAddress: 'the System program or the incinerator',
  offCurve: 'no key signs for the address',
  programOwned: 'its account belongs to a program',
  belowLeastPayout: 'the share, less the rent of a missing account, does not reach `leastPayout`',
  accountClosed: 'the quote token account was gone, finalized, when the payout was built',
  accountForeign: 'it belongs to another program, mint or owner',
  accountFrozen: 'its issuer has frozen it',
  accountNeedsMemo: 'it takes transfers with a memo alone',
  closedByOperator: 'the round was closed before the payout was sent',
  notRecorded: 'the landed transaction does not pay it, and the ledger has no reason (after a restore)',
};

/** Reasons in the order in which the first that holds counts. */
export const leftOutReasonsText = (): string =>
  table(
    ['reason', 'meaning'],
    Object.entries(MEANING).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
  );
