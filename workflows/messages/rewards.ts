/** Id of the schedule of the reward rounds, and registered names of the run that plans them and of one token's round. */
export const REWARD_ROUND_SCHEDULE = 'reward-round';
export const REWARD_ROUNDS_WORKFLOW = 'rewardRounds';
export const REWARD_ROUND_WORKFLOW = 'rewardRound';

/** Id of the workflow of one token's round. */
export function rewardRoundWorkflowId(roundId: string): string {
  return `reward-round-${roundId}`;
}
