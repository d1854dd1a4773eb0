import { earningsOf } from '../../../client/launch/earnings.ts';
import { ApiVariablesSchema } from '../../../config/api.ts';
import { describeVariables } from '../../../config/describe.ts';
import { WorkerVariablesSchema } from '../../../config/worker.ts';
import { KINDS } from '../kinds.ts';
import { drawnText, svgDocument } from './svg.ts';

interface Segment {
  readonly ppm: number;
  readonly title: string;
  readonly tone: string;
}

const LEFT = 150;
/** Pixels of one percent of the traded volume. */
const PERCENT = 165;
const ROW = 74;

/** Each kind of launch as a bar of what a trade of 100 pays. */
export function feeFlow(): string {
  const rows = KINDS.map(({ title, fee, taxPercent }) => {
    const { creator, holders, platform, exchange } = earningsOf(fee);
    const tax = taxPercent * 10_000;
    const segments: Segment[] = [
      { ppm: creator, title: 'creator', tone: 'good' },
      { ppm: holders - tax, title: 'holders', tone: 'good' },
      { ppm: tax, title: 'holders, by the tax', tone: 'good' },
      { ppm: platform, title: 'platform', tone: 'strong' },
      { ppm: exchange, title: 'Raydium', tone: 'plain' },
    ];
    return { title, segments: segments.filter(({ ppm }) => ppm > 0) };
  });
  const bars = rows.flatMap(({ title, segments }, row) => [
    ...title
      .split(', ')
      .map((part, line) => drawnText({ x: 20, y: 68 + row * ROW + line * 16 }, part, line === 0 ? 'title' : 'label')),
    ...drawnBar(segments, 50 + row * ROW),
  ]);
  const size = { x: LEFT + 4.6 * PERCENT, y: 60 + rows.length * ROW + 40 };
  return svgDocument(
    size,
    'Where the fees of a trade go',
    'For each kind of launch: the parts of the traded volume that creator, holders, platform and Raydium get.',
    [
      drawnText({ x: 20, y: 28 }, 'Of each 100 USD traded, in USD', 'title'),
      ...bars,
      drawnText({ x: 20, y: size.y - 34 }, 'Of the platform’s part in the pair’s token:', 'title'),
      drawnText({ x: 20, y: size.y - 16 }, platformUse(), 'label'),
    ],
  );
}

function drawnBar(segments: readonly Segment[], y: number): string[] {
  let x = LEFT;
  return segments.flatMap(({ ppm, title, tone }) => {
    const width = (ppm / 10_000) * PERCENT;
    const drawn = [
      `<rect class="box ${tone}" x="${x}" y="${y}" width="${width.toFixed(1)}" height="26"/>`,
      drawnText({ x: x + 2, y: y + 17 }, (ppm / 10_000).toFixed(2), 'label'),
      drawnText({ x: x + 2, y: y + 41 }, width < 50 ? '' : title, 'label'),
    ];
    x += width;
    return drawn;
  });
}

function platformUse(): string {
  const variables = [...describeVariables(ApiVariablesSchema), ...describeVariables(WorkerVariablesSchema)];
  const percentOf = (name: string) => {
    const fallback = variables.find((variable) => variable.name === name)?.fallback;
    if (!fallback) throw new Error(`${name} has no default`);
    return Number(fallback) / 100;
  };
  const [buyback, flywheel] = [percentOf('BUYBACK_SHARE_BPS'), percentOf('FLYWHEEL_SHARE_BPS')];
  return `${buyback} % buys and burns the platform’s token, ${flywheel} % the tokens with the most fees, ${100 - buyback - flywheel} % stays in the treasury. Launched tokens are burned.`;
}
