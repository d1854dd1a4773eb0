import { Connection } from '@solana/web3.js';
import { Command, InvalidArgumentError } from 'commander';
import { standInAdapter } from '../dev/stand-in/stand-in-adapter.ts';
import { runScenario } from '../dev/demo/scenario.ts';
import { openChromium } from '../test/support/web/chromium.ts';
import { chromiumPath } from '../test/support/web/chromium-path.ts';
import { openPage } from '../test/support/web/person.ts';
import { type OwnStack, withOwnStack } from './own-stack.ts';
import { visit, type Visit } from './pages/lighthouse.ts';
import { createTape, type Tape } from './pages/tape.ts';
import { median } from './statistics.ts';
import { wholeNumber } from './whole-number.ts';

// Lighthouse on the built site. Run: node bench/pages.ts [--visits N] [--slowdown N] [--json]

type Options = { readonly visits: number; readonly slowdown: number; readonly json?: true };
type Path = { readonly page: string; readonly path: string };

async function measure({ visits, slowdown, json }: Options): Promise<void> {
  const chromium = chromiumPath();
  if (chromium === undefined) throw new Error('there is no Chromium: install it, or name it in CHROMIUM_PATH');
  const { tape, paths } = await withOwnStack((own) => record(own, chromium));
  try {
    const found = [];
    for (const { page, path } of paths) {
      const seen: Visit[] = [];
      for (let round = 0; round < visits; round++) {
        seen.push(await visit(chromium, `${tape.url}${path}`, slowdown));
        process.stderr.write(`${page}: ${line(seen.at(-1)!)}\n`);
      }
      found.push({ page, ...middleOf(seen), visits: seen });
    }
    if (json === true)
      console.log(JSON.stringify({ bench: 'pages', slowdown, pages: found, missed: [...tape.missed] }));
    else console.log(found.map(({ page, ...middle }) => `${page.padEnd(8)} ${line(middle)}`).join('\n'));
  } finally {
    await tape.close();
  }
}

/** The stack would compete with Chromium: Lighthouse measures wall time. */
async function record({ stack, keys }: OwnStack, chromium: string): Promise<{ tape: Tape; paths: Path[] }> {
  const connection = new Connection(stack.rpcUrl, 'confirmed');
  const seed = Uint8Array.from(Buffer.from(keys.STAND_IN_SEED, 'base64'));
  const exchange = standInAdapter(seed).open(connection, await connection.getGenesisHash());
  const [traded] = await runScenario(stack, exchange);
  const paths = [
    { page: 'explore', path: '/' },
    { page: 'token', path: `/tokens/${traded?.launch.mint}` },
    { page: 'launch', path: '/launch' },
    { page: 'creator', path: '/creator' },
    { page: 'rewards', path: '/rewards' },
    { page: 'platform', path: '/platform' },
  ];
  const tape = await createTape(stack.siteUrl);
  const browser = await openChromium(chromium);
  try {
    const page = await browser.newPage();
    for (const { path } of paths) {
      await openPage(page, `${tape.url}${path}`);
      await page.waitForLoadState('networkidle');
    }
    await page.goto(`${tape.url}/robots.txt`);
  } finally {
    await browser.close();
  }
  tape.play();
  return { tape, paths };
}

function middleOf(visits: readonly Visit[]): Visit {
  const performance = median(visits.map(({ scores }) => scores.performance));
  const nearest = visits.toSorted(
    (a, b) => Math.abs(a.scores.performance - performance) - Math.abs(b.scores.performance - performance),
  )[0]!;
  const least = (name: keyof Visit['scores']) => Math.min(...visits.map(({ scores }) => scores[name]));
  return {
    ...nearest,
    scores: {
      performance: nearest.scores.performance,
      accessibility: least('accessibility'),
      bestPractices: least('bestPractices'),
      seo: least('seo'),
    },
  };
}

function line({ scores, firstPaintMs, largestPaintMs, blockingMs, shift, bytes, benchmarkIndex }: Visit): string {
  const { performance, accessibility, bestPractices, seo } = scores;
  const times = [firstPaintMs, largestPaintMs, blockingMs].map((ms) => ms.toFixed(0));
  return (
    `${performance} performance, ${accessibility} accessibility, ${bestPractices} best practices, ${seo} SEO; ` +
    `first paint ${times[0]} ms, largest ${times[1]} ms, blocked ${times[2]} ms, shift ${shift.toFixed(3)}, ` +
    `${(bytes / 1024).toFixed(0)} KiB; index ${benchmarkIndex.toFixed(0)}`
  );
}

function parseSlowdown(text: string): number {
  const slowdown = Number(text);
  if (slowdown >= 1 && slowdown <= 20) return slowdown;
  throw new InvalidArgumentError('a number from 1 to 20');
}

await new Command('node bench/pages.ts')
  .description(
    'Visits the pages of the built site with Lighthouse, as it comes from npm, in this machine’s Chromium. The stack that\n' +
      'answered is gone by then: the pages get its answers from memory.',
  )
  .option('--visits <number>', 'visits of each page, of which the middle one is shown', wholeNumber(1, 50), 5)
  .option('--slowdown <number>', 'how many times slower the processor is made', parseSlowdown, 4)
  .option('--json', 'print the figures as one line of JSON')
  .action(measure)
  .parseAsync();
