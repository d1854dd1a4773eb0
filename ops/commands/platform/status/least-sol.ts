import { InvalidArgumentError, Option } from 'commander';

const LAMPORTS_PER_MILLI_SOL = 1_000_000n;

/** Half a SOL pays for some hours. */
export function leastSolOption(): Option {
  const option = new Option('--least-sol <amount>', 'a wallet of the platform with less SOL is low');
  return option.argParser(parseSol).default(parseSol('0.5'), '0.5');
}

/** Parses SOL with at most three fraction digits, to lamports. */
function parseSol(text: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new InvalidArgumentError('it is not an amount of SOL such as 0.5.');
  return BigInt(whole + fraction.padEnd(3, '0')) * LAMPORTS_PER_MILLI_SOL;
}
