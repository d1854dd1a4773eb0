import { describe, expect, it } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as launches from '../../db/launch/launches.ts';
import { LAUNCH_STATES, type LaunchState, phaseOf } from '../../domain/launch/state.ts';
import { LAUNCH_STEPS, type LaunchStep } from '../../domain/purpose.ts';
import { landSteps } from '../support/launch/landed-rows.ts';
import { bringTo, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

/** Asks for the status of a launch in this state, by the signature that was submitted. */
async function statusIn(state: LaunchState, landed: readonly LaunchStep[] = []) {
  const intake = intakeOf(launchTerms());
  await insertIntake(market.db(), intake);
  await bringTo(market.db(), intake.terms.quoteId, state);
  await landSteps(market.db(), intake.terms.quoteId, landed);
  const answer = await market.app().inject(`/api/public/v1/launches/${intake.signature}`);
  const launch = await launches.bySignature(market.db(), intake.signature);
  return { answer, launch, submitted: intake.signature };
}

const notCharged = LAUNCH_STATES.filter((state) => phaseOf(state) === 'uncharged');
const underWay = LAUNCH_STATES.filter((state) => phaseOf(state) === 'underWay');
const parked = LAUNCH_STATES.filter((state) => phaseOf(state) === 'parked');

describe('the status of a launch', () => {
  it.each(notCharged)('that is %s is the 503 of submit: its end is unmistakable', async (state) => {
    const { answer, launch, submitted } = await statusIn(state);
    const { refundSignature, ...body } = answer.json<{ refundSignature?: string }>();
    expect(answer.statusCode).toBe(503);
    expect(body).toEqual({
      status: 'service_unavailable',
      charged: false,
      final: true,
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

  it.each(underWay)('that is %s is processing and never says that nothing was charged', async (state) => {
    const { answer, submitted } = await statusIn(state);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ data: { status: 'processing', paymentSignature: submitted } });
    expect(answer.body).not.toMatch(/charged|final|awaitsOperator/);
  });

  it.each([
    [[], 'unknown'],
    [[2, 3, 4], 'unknown'],
    [[1], 'payment'],
    [[1, 2, 3], 'payment'],
    [LAUNCH_STEPS, 'bundle'],
  ] as const)('that is processing with steps %j on the chain says so: %s', async (steps, onChain) => {
    const { answer } = await statusIn('landing', steps);
    expect(answer.json()).toMatchObject({ data: { status: 'processing', onChain } });
  });

  it.each(parked)('that is %s is 409 where a row of its payment landed', async (state) => {
    const { answer, submitted } = await statusIn(state, [1]);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      paymentSignature: submitted,
      error: { code: 'conflict', retryable: false },
    });
    expect(answer.body).not.toMatch(/charged|final/);
  });

  it.each(parked)('that is %s without a payment that landed is processing: an operator decides', async (state) => {
    const { answer } = await statusIn(state, [2, 3, 4]);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ data: { status: 'processing', onChain: 'unknown', awaitsOperator: true } });
  });
});
