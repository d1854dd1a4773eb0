declare const spendable: unique symbol;

/**
 * Raw units that the owner of a token account can send now: none of a frozen one. Only this file makes it, so that what
 * an account holds cannot be spent by mistake.
 */
export type SpendableRaw = bigint & { readonly [spendable]: true };

/** `foreign`: the account belongs to another wallet, mint or program. */
export type BalanceState = 'open' | 'absent' | 'frozen' | 'foreign';

/** A wallet's associated account of a token. */
export interface TokenBalance {
  readonly state: BalanceState;
  /** Raw units that the wallet owns, whether it can send them or not. */
  readonly heldRaw: bigint;
  readonly spendableRaw: SpendableRaw;
}

/** Whether tokens in such an account are the wallet's, and whether it can send and receive them. */
const RIGHTS: Readonly<Record<BalanceState, { readonly owns: boolean; readonly moves: boolean }>> = {
  open: { owns: true, moves: true },
  absent: { owns: false, moves: false },
  frozen: { owns: true, moves: false },
  foreign: { owns: false, moves: false },
};

/** The wallet's tokens are there, and it can neither send nor receive any. */
export function isHeldBack(state: BalanceState): boolean {
  const { owns, moves } = RIGHTS[state];
  return owns && !moves;
}

/** The account is there and takes tokens. */
export function isUsable(state: BalanceState): boolean {
  return RIGHTS[state].moves;
}

/** @param amountRaw in the account */
export function tokenBalance(state: BalanceState, amountRaw: bigint): TokenBalance {
  const { owns, moves } = RIGHTS[state];
  return { state, heldRaw: owns ? amountRaw : 0n, spendableRaw: (moves ? amountRaw : 0n) as SpendableRaw };
}
