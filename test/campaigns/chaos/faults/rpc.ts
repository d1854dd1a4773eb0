import type { ChainControl } from '../../../../dev/localnet/index.ts';
import { ENDPOINTS } from '../arena.ts';
import type { Random } from '../random.ts';
import type { Fault, Scene } from './fault.ts';

/** What the RPC endpoints can do: one of them, two, or all that the platform has. */
export const RPC_FAULTS: readonly Fault[] = [
  rpc('endpoints lag', (control, random, endpoint) => control.lag(3 + random.below(31), endpoint)),
  { ...rpc('endpoints give stale answers', (control, _random, endpoint) => control.stale(endpoint)), everyRun: true },
  rpc('endpoints answer with errors', (control, _random, endpoint) => control.stall('error', undefined, endpoint)),
  rpc('endpoints do not answer', (control, random, endpoint) =>
    control.stall('hang', 300 + random.below(1_500), endpoint),
  ),
  rpc('endpoints lose their history', (control, _random, endpoint) => control.loseHistory(LATER_THAN_ALL, endpoint)),
  rpc('endpoints swallow what is sent', (control, random, endpoint) =>
    control.dropTransactions(1 + random.below(6), endpoint),
  ),
];

/** Later than every slot that a test's chain ever has. */
const LATER_THAN_ALL = 1_000_000_000;

type Strike = (control: ChainControl, random: Random, endpoint: string) => void;

function rpc(name: string, strikeOne: Strike): Fault {
  return {
    name,
    strike({ arena, random }: Scene) {
      const { control } = arena.platform.chain;
      const struck = random.shuffle(ENDPOINTS).slice(0, 1 + random.below(ENDPOINTS.length));
      for (const endpoint of struck) strikeOne(control, random, endpoint);
      return () => struck.forEach((endpoint) => control.clear(endpoint));
    },
  };
}
