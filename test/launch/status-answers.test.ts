import { describe, expect, it } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as launches from '../../db/launch/launches.ts';
import { LAUNCH_STATES, type LaunchState, publicStatusOf } from '../../domain/launch/state.ts';
import { bringTo, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

/** Asks for the status of a launch in this state, by the signature that was submitted. */
async function statusIn(state: LaunchState) {
  const intake = intakeOf(launchTerms());
  await insertIntake(market.db(), intake);
  await bringTo(market.db(), intake.terms.quoteId, state);
  const answer = await market.app().inject(`/api/public/v1/launches/${intake.signature}`);
  const launch = await launches.bySignature(market.db(), intake.signature);
  return { answer, launch, submitted: intake.signature };
}

/** States whose public status needs a token; other tests of the market have them. */
const WITH_TOKEN: readonly LaunchState[] = ['completed', 'finalized'];

const notCharged = LAUNCH_STATES.filter((state) => publicStatusOf(state) === 'service_unavailable');
const others = LAUNCH_STATES.filter((state) => ![...notCharged, ...WITH_TOKEN].includes(state));

describe('the status of a launch', () => {
  it.each(notCharged)('that is %s is the 503 of submit, with charged: false beside the error', async (state) => {
    const { answer, launch, submitted } = await statusIn(state);
    const { refundSignature, ...body } = answer.json<{ refundSignature?: string }>();
    expect(answer.statusCode).toBe(503);
    expect(body).toEqual({
      status: 'service_unavailable',
      charged: false,
      paymentSignature: launch?.paymentSignature ?? submitted,
      error: {
        code: 'service_unavailable',
        message: expect.stringContaining('prepare the launch again') as string,
        retryable: true,
        retryAfterSeconds: 0,
      },
    });
    expect(refundSignature ?? null).toBe(launch?.refundSignature ?? null);
  });

  it.each(others)('that is %s never says that nothing was charged', async (state) => {
    const { answer, submitted } = await statusIn(state);
    const isParked = publicStatusOf(state) === 'conflict';
    expect(answer.statusCode).toBe(isParked ? 409 : 200);
    expect(answer.json()).toMatchObject(
      isParked
        ? { paymentSignature: submitted, error: { code: 'conflict', retryable: false } }
        : { data: { status: 'processing', paymentSignature: submitted } },
    );
    expect(answer.body).not.toContain('charged');
  });
});
