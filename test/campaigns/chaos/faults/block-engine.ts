import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault as EngineFault } from '../../../../dev/block-engine/fault.ts';
import { letEverythingExpire } from '../../../support/platform/doom.ts';
import type { Random } from '../random.ts';
import type { Fault, Scene } from './fault.ts';

/** What the block engine can do to bundles, for a few of them or until it is mended. */
export const BLOCK_ENGINE_FAULTS: readonly Fault[] = [
  engine('engine drops some bundles', (random) => ({ fault: 'drop', times: 1 + random.below(5) })),
  engine('engine drops every bundle', () => ({ fault: 'drop' })),
  engine('engine delays bundles', (random) => ({ fault: 'delay', delayMs: 100 + random.below(1_500) })),
  engine('engine sends bundles twice', () => ({ fault: 'duplicate' })),
  engine('engine lands a prefix', (random) => ({ fault: 'prefix', prefixLength: 1 + random.below(3), times: 1 })),
  engine('engine lands only prefixes', (random) => ({ fault: 'prefix', prefixLength: 1 + random.below(3) })),
  engine('engine answers with errors and lands', () => ({ fault: 'unknown-status' })),
  engine('engine refuses some bundles', (random) => ({ fault: 'unreachable', times: 1 + random.below(4) })),
  engine('engine cannot be reached', () => ({ fault: 'unreachable' })),
  { name: 'engine lands a prefix, and every try at the rest dies', everyRun: true, strike: landPrefixAndNoMore },
];

function engine(name: string, faultOf: (random: Random) => EngineFault): Fault {
  return {
    name,
    strike({ arena: { platform }, random }) {
      platform.engine.setFault(faultOf(random));
      return () => platform.engine.setFault({ fault: 'none' });
    },
  };
}

/** How often everything that is open dies before it is mended: more often than a launch is resumed by itself. */
const DEATHS = 6;

/** The surest way to an operator: what landed stays, and whatever is signed after it expires. */
async function landPrefixAndNoMore({ arena: { platform }, random }: Scene) {
  const { engine: blockEngine } = platform;
  blockEngine.setFault({ fault: 'prefix', prefixLength: 1 + random.below(3), times: 1 });
  for (let looks = 0; blockEngine.fault().fault === 'prefix' && looks < 500; looks++) await sleep(2);
  for (let deaths = 0; deaths < DEATHS; deaths++) {
    blockEngine.setFault({ fault: 'drop' });
    await sleep(250);
    letEverythingExpire(platform);
  }
  return () => blockEngine.setFault({ fault: 'none' });
}
