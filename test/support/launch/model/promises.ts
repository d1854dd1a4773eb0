import { phaseOf } from '../../../../domain/launch/state.ts';
import { consistsOf, isOnChain, mayLand, poolOf, type World } from './world.ts';

/** What is promised of every world that can come about; answers the promises that this one breaks. */
export function brokenPromises(world: World): string[] {
  const payment = world.chain.charAt(0);
  const pool = world.chain.charAt(poolOf(world));
  const isPaid = isOnChain(payment);
  const isRefundOut = mayLand(world.refundChain) || isOnChain(world.refundChain);
  const isBack = world.refundChain === 'F';
  const isLate = mayLand(payment) || (isPaid && !isBack);
  const says = world.launch === null ? 'unknown' : phaseOf(world.launch);
  const broken: [boolean, string][] = [
    [says === 'uncharged' && mayLand(payment), '"charged: false" while the payment can still land'],
    [says === 'uncharged' && isPaid && !isBack, '"charged: false" of a payment that landed'],
    [world.launch === 'not_landed' && isPaid, 'not landed, but the payment is on the chain'],
    [
      world.launch === 'refunded' && !(isBack && payment === 'F'),
      'refunded without a final payment and a final refund',
    ],
    [isRefundOut && isOnChain(pool), 'a refund beside a pool'],
    [mayLand(world.refundChain) && mayLand(pool), 'a refund while the pool can still land'],
    [isRefundOut && payment !== 'F', 'a refund of a payment that is not final'],
    [world.launch === 'finalized' && !consistsOf(world.chain, 'F'), 'finalized without the whole bundle'],
    [
      world.launch === 'refunded' && !consistsOf(world.rows, 'fda.'),
      'refunded, and bytes are left that somebody could send',
    ],
    [world.launch === null && isPaid, 'charged without an intake'],
    [world.told && isLate, '"charged: false" was told, and then the payment could land'],
  ];
  return broken.filter(([isBroken]) => isBroken).map(([, promise]) => promise);
}
