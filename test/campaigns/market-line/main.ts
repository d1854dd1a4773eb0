import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Command } from 'commander';
import { migrateToLatest } from '../../../db/migrate.ts';
import { createTestServices } from '../../setup/services.ts';
import { type LineUnderTest, openLineOn } from '../../support/market/history/line-run.ts';
import { randomSteps, shrink, type Step, stepsIn, stepsText } from '../../support/market/history/steps.ts';

interface Options {
  readonly histories: string;
  readonly seed: string;
  readonly replay?: string;
}

const REPORT_EVERY = 1_000;

const program = new Command('line-histories')
  .description(
    "Feeds histories through the market's line and compares what it stored with a recount. Ends with 1 at the first " +
      'difference, after printing the smallest history that shows it.',
  )
  .option('--histories <count>', 'how many random histories', '100000')
  .option('--seed <text>', 'what they are made from', String(Date.now()))
  .option('--replay <file>', 'one history, a step a line, in place of random ones');

await program.parseAsync();
await main(program.opts<Options>());

async function main({ histories, seed, replay }: Options): Promise<void> {
  const services = createTestServices((text) => process.stderr.write(`${text}\n`));
  try {
    const { adminUrl } = await services.postgres();
    await migrateToLatest(adminUrl);
    const line = await openLineOn(adminUrl);
    const isEqual =
      replay === undefined
        ? await feedAll(line, seed, Number(histories))
        : await feed(line, stepsIn(readFileSync(replay, 'utf8')));
    await line.close();
    if (!isEqual) process.exitCode = 1;
  } finally {
    await services.stop();
  }
}

async function feedAll(line: LineUnderTest, seed: string, histories: number): Promise<boolean> {
  for (let history = 0; history < histories; history++) {
    if (history % REPORT_EVERY === 0) console.log(`${history} of ${histories} histories of seed ${seed} are equal`);
    if (!(await feed(line, randomSteps(`${seed}/${history}`)))) return false;
  }
  console.log(`${histories} histories of seed ${seed} equal their recount`);
  return true;
}

async function feed(line: LineUnderTest, steps: readonly Step[]): Promise<boolean> {
  if ((await line.differenceOf(steps)) === null) return true;
  const smallest = await shrink(steps, async (fewer) => (await line.differenceOf(fewer)) !== null);
  console.log(`${stepsText(smallest)}\n${inspect(await line.differenceOf(smallest), { depth: 5 })}`);
  return false;
}
