import { Keypair } from '@solana/web3.js';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { moveOnce } from '../../../activities/money/move-once.ts';
import { finalizedMovement } from '../../../activities/money/movement.ts';
import { type LaneFixture, PAID, startLaneFixture } from '../../support/lanes/lane-fixture.ts';

let ground: LaneFixture;
beforeAll(async () => {
  // Finality takes 13 s on the chain that counts; here 31 slots of 60 ms, looked at every 140 ms.
  ground = await startLaneFixture(60);
});
afterAll(() => ground.close());

const IN_FLIGHT = 20;

/** Counts statements, transaction brackets left out, as everywhere in this house. */
function counting(): { readonly plugin: KyselyPlugin; count: number } {
  const counter = {
    count: 0,
    plugin: {
      transformQuery: ({ node }) => {
        counter.count++;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    } satisfies KyselyPlugin,
  };
  return counter;
}

it('a movement with twenty in flight takes at most 8 calls and 12 statements, its booking read included', async () => {
  const statements = counting();
  const requests: Record<string, number> = {};
  const counted: typeof fetch = (input, init) => {
    const method = /"method":"(\w+)"/.exec(typeof init?.body === 'string' ? init.body : '')?.[1] ?? 'other';
    requests[method] = (requests[method] ?? 0) + 1;
    return fetch(input, init);
  };
  const worker = ground.worker({ db: ground.db.withPlugin(statements.plugin), fetch: counted });
  await worker.lanes.ground();
  const holders = Array.from({ length: IN_FLIGHT }, () => Keypair.generate().publicKey);
  statements.count = 0;
  for (const method of Object.keys(requests)) delete requests[method];
  const started = performance.now();
  await Promise.all(
    holders.map(async (holder, n) => {
      const moved = await moveOnce(worker, ground.payment(`test/cost/${n}`, holder));
      await finalizedMovement(worker, moved!);
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  for (const holder of holders) expect(await ground.held(holder)).toBe(PAID);
  const calls = Object.values(requests).reduce((sum, count) => sum + count, 0) / IN_FLIGHT;
  const perMovement = { calls, statements: statements.count / IN_FLIGHT, seconds, requests };
  if (process.env['COSTS'] === '1') console.log(perMovement);
  expect(perMovement.calls).toBeLessThanOrEqual(8);
  expect(perMovement.statements).toBeLessThanOrEqual(12);
});
