import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { withPart } from '../dev/docs/marked-part.ts';
import { type CostRun, measureCosts } from './launch-costs/measure.ts';
import { costTable } from './launch-costs/table.ts';

type Options = {
  readonly write?: true;
  readonly json?: true;
  readonly programs?: string;
  readonly exchange?: 'local' | 'raydium';
};

const DOCUMENT = join(import.meta.dirname, '../docs/launch-costs.md');

async function measure({ write, json, programs, exchange }: Options): Promise<void> {
  const run = await measureCosts({ programsDir: programs, exchange });
  if (write === true) {
    await writeFile(DOCUMENT, withPart(await readFile(DOCUMENT, 'utf8'), run.table, costTable(run.costs)));
  }
  console.log(json === true ? asJson(run) : costTable(run.costs));
}

/** Lamports as decimal strings. */
function asJson({ table, costs }: CostRun): string {
  return JSON.stringify({ bench: 'launch-costs', table, costs }, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

await new Command('node bench/launch-costs.ts')
  .description(
    'Lands one launch of every kind on a local chain of its own and prints bytes, compute units and lamports of each.\n' +
      'Everything is drawn from fixed seeds, so the same code prints the same table. A few seconds.',
  )
  .option('--programs <folder>', 'deploy the real programs in it; on the local exchange standard launches only')
  .addOption(
    new Option(
      '--exchange <name>',
      'launch on this exchange; raydium needs raydium_clmm.so and mpl_token_metadata.so',
    ).choices(['local', 'raydium']),
  )
  .option('--write', 'put the table into docs/launch-costs.md, which a test compares with a fresh run')
  .option('--json', 'print the figures as one line of JSON')
  .action(measure)
  .parseAsync();
