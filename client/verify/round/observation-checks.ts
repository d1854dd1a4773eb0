import type { Chain, FirstBlock } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome as Proven } from '../check.ts';
import type { Seal } from '../seal.ts';
import { candidatesOf, IN_TIME_SLOTS, isHit, OBSERVATIONS } from './draw.ts';
import type { PotHistory } from './pot-history.ts';
import type { Observation, RoundDocument } from './round-document.ts';

const RULES = 'docs/verify.md';
const value = (one: number | string, from: string) => ({ value: String(one), from });

/** Draws every moment again, from the chain, the coin and the window alone. */
export async function checkDraws(chain: Chain, document: RoundDocument, windowSlots: number): Promise<Proven<null>> {
  const { window, observations, mint } = document;
  mustEqual('the window has another length', value(windowSlots, RULES), value(window.slots, '`window`'));
  const begin = Math.floor(window.slot / windowSlots) * windowSlots;
  mustEqual('the window begins where none does', value(begin, RULES), value(window.slot, '`window`'));
  const places = observations.map(({ n }) => n).join(', ');
  const expected = Array.from({ length: OBSERVATIONS }, (_, n) => n).join(', ');
  mustEqual('the observations are not those of a round', value(expected, RULES), value(places, '`observations`'));
  let blocks = 0;
  for (const { n, slot, blockhash } of observations) {
    const drawn = await drawAgain(chain, candidatesOf(window, n), (block, count) => {
      blocks += 1;
      return isHit(block.blockhash, mint, n, count);
    });
    const from = `observation ${n}`;
    const source = `the blocks of ${chain.name}`;
    mustEqual('another moment is drawn', value(drawn.slot, source), value(slot, from));
    mustEqual('a draw is from another blockhash', value(drawn.blockhash, source), value(blockhash, from));
  }
  return { how: `${observations.length} of ${observations.length} again from ${blocks} blocks`, value: null };
}

/** Returns the first candidate that is a hit, else the last. */
async function drawAgain(
  chain: Chain,
  candidates: readonly number[],
  isDrawn: (block: FirstBlock, count: number) => boolean,
): Promise<FirstBlock> {
  let last: FirstBlock | undefined;
  for (const slot of candidates) {
    last = await chain.firstBlock(slot);
    if (isDrawn(last, candidates.length)) return last;
  }
  if (!last) throw new RangeError('a part of a window has no candidates');
  return last;
}

/** Two endpoints, or the only one. */
const QUORUM = 2;

/** Checks that balances were read at, and soon after, the drawn moments, by the rule of the quorum. */
export function checkReadings({ observations }: RoundDocument): Proven<null> {
  for (const observation of observations) checkReading(observation);
  const lateness = ({ slot, answerSlots }: Observation) => Math.max(...answerSlots) - slot;
  const [late] = observations.filter((one) => lateness(one) > IN_TIME_SLOTS);
  if (late) {
    const when = `observation ${late.n} was read ${lateness(late)} slots after its block`;
    throw new NotProvable(`${when}: beyond ${IN_TIME_SLOTS} slots the reader can choose among balances`);
  }
  return { how: `within ${Math.max(...observations.map(lateness))} slots of their blocks`, value: null };
}

function checkReading({ n, slot, answerSlots, quorum, readSlot }: Observation): void {
  const from = `observation ${n}`;
  const needed = Math.min(QUORUM, answerSlots.length);
  mustEqual('a reading has another quorum', value(needed, RULES), value(quorum, from));
  const reached = answerSlots.toSorted((a, b) => b - a)[needed - 1] ?? 'no answer';
  mustEqual('a reading has another slot', value(reached, `the answers of ${from}`), value(readSlot, from));
  const [early] = answerSlots.filter((answer) => answer < slot);
  if (early === undefined) return;
  const expected = value(`slot ${slot} or later`, 'its drawn block');
  throw new Difference('balances were read before the drawn moment', expected, value(early, from));
}

/** Checks the place of the window between two seals, and counts the others that an operator could have used. */
export function checkWindow(document: RoundDocument, { previousSeal }: PotHistory, seal: Seal): Proven<null> {
  const { window, observations, openedSlot } = document;
  const after = (slot: number) => `after slot ${slot}`;
  const begin = value(`slot ${window.slot}`, '`window`');
  if (previousSeal && window.slot <= previousSeal.slot)
    throw new Difference(
      'the window began before the previous seal',
      value(after(previousSeal.slot), previousSeal.signature),
      begin,
    );
  if (window.slot <= openedSlot)
    throw new Difference('the window began before the round', value(after(openedSlot), '`openedSlot`'), begin);
  const [last] = observations.flatMap(({ answerSlots }) => answerSlots).toSorted((a, b) => b - a);
  if (last !== undefined && last >= seal.slot)
    throw new Difference(
      'balances were read behind the seal',
      value(`before slot ${seal.slot}`, seal.signature),
      value(last, '`observations`'),
    );
  const since = previousSeal?.slot ?? openedSlot;
  const all = Math.floor(seal.slot / window.slots) - Math.floor(since / window.slots) - 1;
  const from = previousSeal ? 'the previous seal' : 'the plan';
  return { how: `one of ${Math.max(1, all)} windows between ${from} and the seal`, value: null };
}
