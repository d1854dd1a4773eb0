/** A box of a diagram. Columns and rows count from 0 and may be fractions. */
export interface Box {
  readonly column: number;
  readonly row: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly tone: Tone;
}

export type Tone = 'plain' | 'good' | 'warn' | 'strong';

/** An arrow between two boxes, by their names. */
export interface Arrow<Name extends string> {
  readonly from: Name;
  readonly to: Name;
  readonly label?: string;
  readonly dashed?: true;
}

export interface Diagram<Name extends string> {
  readonly title: string;
  readonly description: string;
  readonly boxes: Readonly<Record<Name, Box>>;
  readonly arrows: readonly Arrow<Name>[];
  /** Pixels of a column and of a row, gaps included. */
  readonly grid: readonly [width: number, height: number];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const MARGIN = 20;
const BOX_WIDTH = 178;
const LINE_HEIGHT = 15;

/** Light and dark colours follow the reader's system. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1c2430; }
  .title { font-weight: 600; font-size: 13px; }
  .label { font-size: 11px; fill: #4a5666; }
  .box { stroke: #8492a6; fill: #f4f6f9; }
  .good { stroke: #2a8a57; fill: #e4f5ec; }
  .warn { stroke: #b3721a; fill: #fbf0dd; }
  .strong { stroke: #2f5fb3; fill: #e3ecfa; }
  .arrow { stroke: #5f6c7d; fill: none; stroke-width: 1.4; }
  .page, .halo { fill: #ffffff; }
  .head { fill: #5f6c7d; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6ebf2; }
    .label { fill: #aeb9c7; }
    .box { stroke: #6b7a8f; fill: #1b222c; }
    .good { stroke: #4cbf85; fill: #14291f; }
    .warn { stroke: #dfa04a; fill: #2d2313; }
    .strong { stroke: #7aa5f0; fill: #17233a; }
    .arrow { stroke: #93a1b3; }
    .page, .halo { fill: #0e1319; }
    .head { fill: #93a1b3; }
  }`;

export function svgDocument(size: Point, title: string, description: string, body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.x} ${size.y}" width="${size.x}" height="${size.y}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(description)}</desc>`,
    `<style>${STYLE}\n</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="page" width="${size.x}" height="${size.y}"/>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}

export function drawDiagram<Name extends string>({ title, description, boxes, arrows, grid }: Diagram<Name>): string {
  const all: Box[] = Object.values(boxes);
  const corner = (box: Box): Point => ({ x: MARGIN + box.column * grid[0], y: MARGIN + box.row * grid[1] });
  const size = {
    x: Math.max(...all.map((box) => corner(box).x + BOX_WIDTH)) + MARGIN,
    y: Math.max(...all.map((box) => corner(box).y + heightOf(box))) + MARGIN,
  };
  return svgDocument(size, title, description, [
    ...all.map((box) => drawnBox(box, corner(box))),
    ...arrows.map(({ from, to, label, dashed }) => {
      const [start, end] = [boxes[from], boxes[to]];
      const ends = endsOf(edgesOf(start, corner(start)), edgesOf(end, corner(end)));
      return drawnArrow(ends, label ?? '', dashed === true);
    }),
  ]);
}

const heightOf = (box: Box): number => 30 + box.lines.length * LINE_HEIGHT;

interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function edgesOf(box: Box, { x, y }: Point): Edges {
  return { left: x, right: x + BOX_WIDTH, top: y, bottom: y + heightOf(box) };
}

/** The sides that face each other; beside each other where both share some height. */
function endsOf(from: Edges, to: Edges): readonly [Point, Point] {
  const middleX = (edges: Edges) => (edges.left + edges.right) / 2;
  const middleY = (edges: Edges) => (edges.top + edges.bottom) / 2;
  if (from.right < to.left)
    return [
      { x: from.right, y: middleY(from) },
      { x: to.left, y: middleY(to) },
    ];
  if (to.right < from.left)
    return [
      { x: from.left, y: middleY(from) },
      { x: to.right, y: middleY(to) },
    ];
  if (from.bottom < to.top)
    return [
      { x: middleX(from), y: from.bottom },
      { x: middleX(to), y: to.top },
    ];
  return [
    { x: middleX(from), y: from.top },
    { x: middleX(to), y: to.bottom },
  ];
}

function drawnBox({ title, lines, tone }: Box, { x, y }: Point): string {
  const height = 30 + lines.length * LINE_HEIGHT;
  const texts = lines.map((line, at) => drawnText({ x: x + 10, y: y + 37 + at * LINE_HEIGHT }, line, 'label'));
  return [
    `<rect class="box ${tone}" x="${x}" y="${y}" width="${BOX_WIDTH}" height="${height}" rx="6"/>`,
    drawnText({ x: x + 10, y: y + 20 }, title, 'title'),
    ...texts,
  ].join('\n');
}

function drawnArrow([start, end]: readonly [Point, Point], label: string, dashed: boolean): string {
  const line = `<path class="arrow" d="M${start.x} ${start.y} L${end.x} ${end.y}"${dashed ? ' stroke-dasharray="5 4"' : ''} marker-end="url(#head)"/>`;
  if (label === '') return line;
  const [x, y] = [(start.x + end.x) / 2, (start.y + end.y) / 2];
  const width = label.length * 5.8 + 8;
  const halo = `<rect class="halo" x="${x - width / 2}" y="${y - 9}" width="${width}" height="15" rx="3"/>`;
  return [line, halo, `<text class="label" text-anchor="middle" x="${x}" y="${y + 3}">${escaped(label)}</text>`].join(
    '\n',
  );
}

export function drawnText({ x, y }: Point, text: string, style: string): string {
  return `<text class="${style}" x="${x}" y="${y}">${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
