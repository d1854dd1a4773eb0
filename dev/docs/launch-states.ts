import { isSettled, LAUNCH_MACHINE, type LaunchRule, stepsOf } from '../../domain/launch/machine.ts';
import { LAUNCH_STATES, type LaunchState } from '../../domain/launch/state.ts';

export function launchStatesText(): string {
  return LAUNCH_STATES.map(lineOf).join('\n');
}

function lineOf(state: LaunchState): string {
  const { leads }: LaunchRule = LAUNCH_MACHINE[state];
  const idle = isSettled(state) ? 'settled' : 'waits for an operator';
  const steps = stepsOf(state).map((step) => `\`${step}\``);
  const ways = Object.entries(leads).map(([event, next]) => `${event} → \`${next}\``);
  return `- \`${state}\`: ${[steps.join(', ') || idle, ways.join(', ')].filter(Boolean).join('. ')}`;
}
