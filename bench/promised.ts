import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { benchesNamed } from './benches.ts';
import { FIGURES, isKept, write, written } from './promised/figures.ts';
import { median } from './statistics.ts';

// The figures that docs/scale.md promises, measured again. Run: node bench/promised.ts [--rounds 3] [--bench reads] [--write]

interface Options {
  readonly rounds: string;
  readonly bench: readonly string[];
  readonly write: boolean;
  readonly json: boolean;
}

const BENCHES_OF_FIGURES = [...new Set(FIGURES.map(({ bench }) => bench))];

const options = new Command('node bench/promised.ts')
  .description(
    'Measures the promised figures of docs/scale.md again and compares each with what is written: exit status 1 where one is\n' +
      'below three quarters of it. Takes turns among the benches. To be run for each release, and when reads or launches change.',
  )
  .option('--rounds <n>', 'rounds, of which the median counts', '3')
  .option('--bench <names...>', 'only the figures of these benches', BENCHES_OF_FIGURES)
  .option('--write', 'write what was measured as what is promised; then npm run docs', false)
  .option('--json', 'print one line of JSON', false)
  .parse()
  .opts<Options>();

const figures = FIGURES.filter(({ bench }) => options.bench.includes(bench));
const samples = new Map<string, number[]>(figures.map(({ subject }) => [subject, []]));
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const bench of options.bench) {
    const report = await reportOf(bench);
    for (const figure of figures.filter((one) => one.bench === bench))
      samples.get(figure.subject)?.push(figure.valueIn(report));
  }
}
const promises = written();
const measured = figures.map((figure) => {
  const value = Number(median(samples.get(figure.subject) ?? []).toFixed(2));
  const promised = promises[figure.subject]?.value ?? null;
  return { ...figure, value, promised, kept: promised === null || isKept(figure, promised, value) };
});
if (options.write) write({ ...promises, ...valuesAt(execFileSync('git', ['rev-parse', '--short=8', 'HEAD'])) });
console.log(options.json ? JSON.stringify({ bench: 'promised', measured }) : measured.map(line).join('\n'));
if (!options.write && measured.some(({ kept }) => !kept)) process.exitCode = 1;

async function reportOf(name: string): Promise<unknown> {
  const [bench] = benchesNamed([name]);
  const file = join(import.meta.dirname, bench?.file ?? '');
  const child = spawn(process.execPath, [file, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`the bench ${name} failed with exit status ${child.exitCode}`);
  return JSON.parse(printed);
}

function valuesAt(head: Buffer) {
  const commit = head.toString().trim();
  return Object.fromEntries(measured.map(({ subject, value }) => [subject, { value, commit }]));
}

function line({ subject, value, promised, kept }: (typeof measured)[number]): string {
  return `${kept ? 'kept  ' : 'BROKEN'} ${subject}: ${value}${promised === null ? ', not written yet' : `, written ${promised}`}`;
}
