/**
 * Life of one reward round of one token: `observing` the holders' balances while rewards go on accruing and nothing of the round
 * shows on the chain, `collecting` the withheld tax and the position's fees, `selling` what was collected, `paying` the planned
 * payouts, `done`.
 */
export const REWARD_ROUND_STATES = ['observing', 'collecting', 'selling', 'paying', 'done'] as const;
export type RewardRoundState = (typeof REWARD_ROUND_STATES)[number];

/**
 * What one transaction of a round does. `excess`, once for a token, brings over what the fee sweep withdrew beyond the tax of
 * the launch's deposit.
 */
export type RewardTransactionKind = 'tax' | 'excess' | 'harvest' | 'sale' | 'payout';

/** `planned` until its transaction is final (`done`) or it is certain that there will be none (`void`). */
export type RewardTransactionState = 'planned' | 'done' | 'void';

/** `planned` until its batch is final; `void` where the holder's account did not take it. */
export type RewardPayoutState = 'planned' | 'paid' | 'void';

/** A payout of a round: to a holder, or to the treasury what holders' new accounts cost. */
export type RewardPayoutKind = 'holder' | 'rent';

/** How often the balances of a round are observed. */
export const SNAPSHOTS_PER_ROUND = 3;
