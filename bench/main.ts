import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command } from 'commander';
import { errorText } from '../domain/error-text.ts';
import { type Bench, BENCHES, benchesNamed } from './benches.ts';

type Options = { readonly json?: true };

const say = (text: string) => process.stderr.write(`${text}\n`);

async function run(names: readonly string[], { json }: Options, command: Command): Promise<void> {
  if (names.length === 0) return list(json === true);
  const stop = stopSignal();
  const [wanted, options] = splitAt(names);
  for (const bench of chosen(wanted, command)) {
    if (stop.aborted) return;
    say(`${bench.name}: ${bench.about} (about ${bench.seconds} s) …`);
    const code = await runOne(bench, [...options, ...(json === true ? ['--json'] : [])], stop);
    if (code === 0) continue;
    say(`${bench.name} failed with exit status ${code}`);
    process.exitCode = 1;
  }
}

function chosen(names: readonly string[], command: Command): Bench[] {
  try {
    return benchesNamed(names);
  } catch (error) {
    return command.error(errorText(error));
  }
}

function list(json: boolean): void {
  if (json) return console.log(JSON.stringify({ benches: BENCHES.map(({ name, about }) => ({ name, about })) }));
  const width = Math.max(...BENCHES.map(({ name }) => name.length));
  for (const { name, about, seconds } of BENCHES) console.log(`${name.padEnd(width)}  ${about} (about ${seconds} s)`);
  console.log('\nnpm run bench -- NAME… runs them one after the other, npm run bench -- all every one.');
}

/** Splits names from the options behind them, which are the bench's own. */
function splitAt(words: readonly string[]): [names: readonly string[], options: readonly string[]] {
  const first = words.findIndex((word) => word.startsWith('-'));
  return first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
}

async function runOne({ file }: Bench, options: readonly string[], stop: AbortSignal): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...options], { stdio: 'inherit' });
  stop.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** A stopped bench cleans up. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
}

await new Command('npm run bench --')
  .description(
    'Run benches and print what they measured. Each starts what it needs on loopback, ends by itself and leaves nothing.\n' +
      'Figures are for comparing on one machine, not a gate. Without a name the benches are listed.',
  )
  .argument('[names...]', 'benches to run, or all; behind them options of their own')
  .allowUnknownOption()
  .option('--json', 'one line of JSON for each bench, instead of text')
  .action(run)
  .parseAsync();
