/**
 * `observing` balances, while the chain shows nothing; `collecting` tax and fees; `selling`; `sealing` the payout plan;
 * `paying`; `done`.
 */
export const REWARD_ROUND_STATES = ['observing', 'collecting', 'selling', 'sealing', 'paying', 'done'] as const;
export type RewardRoundState = (typeof REWARD_ROUND_STATES)[number];

/**
 * `excess`, once per token: what the fee sweep withdrew beyond the deposit tax. `seal` moves nothing: it commits to the
 * plan before a payout is signed.
 */
export type RewardTransactionKind = 'tax' | 'excess' | 'harvest' | 'sale' | 'seal' | 'payout';

/** `planned` until final (`done`) or certainly never sent (`void`). */
export type RewardTransactionState = 'planned' | 'done' | 'void';

/** `planned` until its batch is final; `void` if the account did not accept it. */
export type RewardPayoutState = 'planned' | 'paid' | 'void';

export type RewardPayoutKind = 'holder' | 'rent';

export const SNAPSHOTS_PER_ROUND = 3;
