import * as launches from '../../../db/launch/launches.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import type { LaunchState } from '../../../domain/launch/state.ts';
import { eventually } from './eventually.ts';
import { type StoryFixture, storyOf } from './launch-story.ts';

/** Waits until the database says that a launch is in this state. */
export function untilState(
  ground: StoryFixture,
  { quoteId }: { readonly quoteId: string },
  state: LaunchState,
): Promise<LaunchRecord> {
  const ask = async (): Promise<LaunchRecord | null> => {
    const launch = await launches.byQuoteId(ground.db, quoteId);
    return launch?.state === state ? launch : null;
  };
  return eventually(ask, `launch ${quoteId} in state ${state}`, () => storyOf(ground, quoteId));
}
