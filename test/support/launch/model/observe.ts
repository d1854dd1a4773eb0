import { type Moment, outcome, type Outcome } from './step-tools.ts';
import { hasLanded, isLive, isOnChain, mapLetters, type World } from './world.ts';

/** Asks the chain; a node that lags or lost its history knows of nothing that is not final. The answer is used later. */
export const observe =
  (next: string, whom: 'chain' | 'refundChain' = 'chain') =>
  ({ world }: Moment): Outcome[] => {
    const saw = world[whom];
    const behind = saw.replaceAll('C', '-');
    const answers = saw === behind ? [saw] : [saw, behind];
    return answers.map((answer) => outcome(world, next, '', { saw: answer.replaceAll(/[PXD]/g, '-') }));
  };

/** Books an answer of the chain for the bundle, however old it is by now. */
export function observed(world: World, saw: string): World {
  return { ...world, rows: mapLetters(world.rows, (row, index) => booked(row, saw.charAt(index))) };
}

/** Books an answer of the chain for the refund. */
export function refundObserved(world: World, saw: string): World {
  return { ...world, refundRow: booked(world.refundRow, saw) };
}

/** Books what the chain holds and the ledger has no live row of: a restored database has forgotten it. */
export function adopted(world: World): World {
  const rows = mapLetters(world.rows, (row, index) =>
    '.d'.includes(row) && isOnChain(world.chain.charAt(index)) ? 'l' : row,
  );
  return { ...world, rows };
}

function booked(row: string, letter: string): string {
  if (!isLive(row) || row === 'f') return row;
  if (letter === 'F') return 'f';
  if (letter === 'C') return 'l';
  return hasLanded(row) ? 'b' : row;
}
