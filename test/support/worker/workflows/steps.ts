import { proxyActivities } from '@temporalio/workflow';

const { step } = proxyActivities<{ step(count: number): Promise<number> }>({ startToCloseTimeout: '30 seconds' });

/** Runs `count` activities, one after the other. */
export async function steps(count: number): Promise<number> {
  let done = 0;
  while (done < count) done = await step(done);
  return done;
}
