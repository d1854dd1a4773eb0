import Type from 'typebox';
import Value from 'typebox/value';
import * as launches from '../../../db/launch/launches.ts';
import { errorText } from '../../../domain/error-text.ts';
import type { Platform } from './platform.ts';
import { describeWorkflow } from './workflow-history.ts';

/** What a story is told from. */
export type StoryFixture = Pick<Platform, 'db' | 'client' | 'log'>;

/** How many of the last log lines about a launch are told. */
const LINES = 12;

/** Everything that says why a launch stands where it does, for the message of a test that waited in vain: its states, what its workflow is at, and what was logged of it. */
export async function storyOf(ground: StoryFixture, quoteId: string): Promise<string> {
  const states = await launches.history(ground.db, quoteId);
  const launch = await launches.byQuoteId(ground.db, quoteId);
  const lines = ground.log.lines.filter((line) => line.includes(quoteId)).slice(-LINES);
  return [
    `its states: ${states.map(({ state }) => state).join(', ') || 'none'}`,
    `its reasons: ${launch?.blockedReason ?? '-'}; ${launch?.reason ?? '-'}`,
    `its workflow: ${await workflowOf(ground, quoteId)}`,
    'the last that was logged of it:',
    ...lines.map(shortOf),
  ].join('\n');
}

const LineSchema = Type.Object({
  time: Type.Number(),
  msg: Type.Optional(Type.String()),
  activityType: Type.Optional(Type.String()),
  err: Type.Optional(Type.Object({ message: Type.String() })),
});

function shortOf(line: string): string {
  const { time, msg, activityType, err } = Value.Parse(LineSchema, JSON.parse(line));
  return [new Date(time).toISOString(), activityType, msg, err?.message].filter((part) => part !== undefined).join(' ');
}

async function workflowOf(ground: StoryFixture, quoteId: string): Promise<string> {
  try {
    const { status, raw } = await describeWorkflow(ground, { quoteId });
    const steps = raw.pendingActivities?.map(
      ({ activityType, attempt, lastFailure }) =>
        `${activityType?.name ?? '?'}, try ${attempt ?? '?'}, ${lastFailure?.message ?? 'no failure'}`,
    );
    return `${status.name}; ${steps?.join('; ') || 'no step under way'}`;
  } catch (error) {
    return errorText(error);
  }
}
