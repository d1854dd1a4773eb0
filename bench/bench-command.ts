import { Command } from 'commander';
import { benchesNamed } from './benches.ts';

/**
 * With `--help` and `--json`.
 *
 * @throws for an unknown name
 */
export function benchCommand(name: string): Command {
  const [bench] = benchesNamed([name]);
  const minutes = Math.max(1, Math.round((bench?.seconds ?? 0) / 60));
  return new Command(`node bench/${bench?.file}`)
    .description(`Measures ${bench?.about}. About ${minutes} min on two cores.`)
    .option('--json', 'print the figures as one line of JSON');
}

export function wantsJson(name: string): boolean {
  return benchCommand(name).parse().opts<{ json?: true }>().json === true;
}
