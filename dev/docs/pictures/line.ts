import { LINE, type Stage, STAGES } from '../../../activities/market/line/stage-list.ts';
import { type Arrow, type Box, drawDiagram } from './svg.ts';

type Part = Stage | 'stream' | 'polling';

const SOURCES: Readonly<Record<'stream' | 'polling', Box>> = {
  stream: { column: 0, row: 0, title: 'Stream', lines: ['Yellowstone, or a', 'replay in tests'], tone: 'good' },
  polling: {
    column: 0,
    row: 1.4,
    title: 'Polling',
    lines: ['woken by a websocket,', 'reads and links histories'],
    tone: 'good',
  },
};

/** The line of a swap, from the list of its stages. */
export function lineOfASwap(): string {
  const boxes = STAGES.map((stage, index): [Stage, Box] => [
    stage,
    {
      column: 1 + index,
      row: 0,
      title: stage,
      lines: LINE[stage].does,
      tone: stage === 'settled' ? 'strong' : 'plain',
    },
  ]);
  const arrows = STAGES.slice(1).map((stage, index): Arrow<Part> => ({ from: STAGES[index]!, to: stage }));
  return drawDiagram<Part>({
    title: 'The line of a swap',
    description: `A stream is observed, then each stage hands on to the next: ${STAGES.join(', ')}. Polling reads whole histories and joins at settled.`,
    boxes: { ...SOURCES, ...(Object.fromEntries(boxes) as Record<Stage, Box>) },
    arrows: [{ from: 'stream', to: 'observed' }, ...arrows, { from: 'polling', to: 'settled' }],
    grid: [216, 96],
  });
}
