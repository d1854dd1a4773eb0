import { SystemProgram } from '@solana/web3.js';
import { moveOnce, type Movement } from '../../activities/money/move-once.ts';
import { finalizedMovement } from '../../activities/money/movement.ts';
import { signPurposed } from '../../chain/transactions/purposed.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { Shared } from '../../worker/shared.ts';
import { type CallsFixture, movingBy } from './fixture.ts';
import { type Measured, measuredOf } from './report.ts';
import { alwaysDue } from '../../test/support/money/due.ts';

export async function measureMovements(ground: CallsFixture, inFlight: number): Promise<Measured> {
  const { tally, endpoints } = ground;
  const deps = movingBy(ground);
  const job = `reward/count-${endpoints}-${inFlight}`;
  await deps.lanes.ground();
  tally.take();
  const begun = performance.now();
  const moves = Array.from({ length: inFlight }, (_, n) => tally.within('movement', () => move(deps, `${job}/${n}`)));
  await Promise.all(moves);
  const seconds = (performance.now() - begun) / 1_000;
  return measuredOf(`a movement, ${inFlight} in flight`, {
    endpoints,
    times: inFlight,
    seconds,
    tallied: tally.take(),
  });
}

async function move(deps: Shared, purpose: string): Promise<void> {
  const moved = await moveOnce(deps, smallMovement(deps, purpose));
  if (!moved) throw new Error(`${purpose} moved nothing`);
  await finalizedMovement(deps, moved);
}

/** The counts do not depend on the content. */
function smallMovement({ signers: { platform }, settings }: Shared, purpose: string): Movement {
  const { publicKey } = platform;
  const transfer = SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: 1 });
  return {
    purpose: purpose as Purpose,
    payer: publicKey,
    assertDue: alwaysDue(purpose),
    build: (stamp) =>
      signPurposed(
        { stamp, payer: platform, wallet: platform, computeUnitPrice: settings.computeUnitPrice },
        { instructions: [transfer], signers: [], computeUnits: 1_000 },
      ),
  };
}
