/** Why a round does not pay a wallet, behind "this wallet: ". */
const REASONS: Readonly<Record<string, string>> = {
  belowMinimum: 'held too little',
  notThroughout: 'did not hold the whole time',
  pool: 'it is the coin’s pool',
  platformWallet: 'it is a wallet of the platform',
  burnAddress: 'it is a burn address',
  offCurve: 'no key signs for it',
  programOwned: 'it belongs to a program',
  belowLeastPayout: 'its part was too small to send',
  accountClosed: 'it has closed its account of the paired token',
  accountFrozen: 'its account of the paired token is frozen',
};

export function leftOutReason(reason: string): string {
  return REASONS[reason] ?? reason;
}
