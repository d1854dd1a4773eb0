import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KILLED_PARTS, type RealStack, startRealStack } from '../campaigns/chaos/processes/real-stack.ts';
import { type DeskMarket, openDeskMarket } from '../support/claim/desk-market.ts';
import { killClaimAt } from '../support/claim/kill-claim-at.ts';
import { CLAIM_POINTS } from '../support/claim/kill-points.ts';

const EVERY = KILLED_PARTS.flatMap((part) => CLAIM_POINTS.map((point) => ({ part, point })));

/** All 44 take a quarter of an hour; the usual run ends the worker where most can go wrong, and every other part once. */
const USUAL = [
  'worker at "signed"',
  'worker at "sent"',
  'api at "taken in"',
  'temporal at "released"',
  'postgres at "persisted"',
];
const CHOSEN =
  process.env['SLOW_TESTS'] === '1'
    ? EVERY
    : EVERY.filter(({ part, point }) => USUAL.includes(`${part} at "${point.name}"`));

let stack: RealStack;
let market: DeskMarket;
beforeAll(async () => {
  stack = await startRealStack({ RATE_LIMIT_CLAIM_PREPARE: '100000', CLAIM_RELAY_SECONDS: '3' });
  await stack.control('setSlotMs', { slotMs: 50 });
  market = await openDeskMarket(stack, 'USDL', { funds: '1000000' });
});
afterAll(() => stack.close());

describe('a claim during which a process is killed with kill -9', () => {
  it.each(CHOSEN)('is paid once or never, and says so for ever: $part at "$point.name"', async ({ part, point }) => {
    await stack.control('setSlotMs', { slotMs: 50 });
    await market.trade('buy', '25.5');
    const { claim, signature, told, repeat, landed, received } = await killClaimAt(stack, market, part, point);
    const isPaid = point.ends === undefined;
    expect(landed).toEqual(isPaid ? [signature] : []);
    expect(received).toBe(isPaid ? BigInt(claim.amounts.quote.amountRaw) : 0n);
    expect(repeat).toMatchObject({ http: 200, data: { signature, alreadySubmitted: true, landed: isPaid } });
    // Whoever waited for a claim that died hears 409; whoever repeated it meanwhile, its signature.
    if (isPaid || told.http !== 409) expect(told).toMatchObject({ http: 200, data: { signature } });
  });
});
