export { rewardRound } from './round.ts';
export { rewardRounds } from './rounds.ts';
