import { Command, InvalidArgumentError } from 'commander';
import type { Chain } from '../verify/chain.ts';
import { type Check, exitCodeOf } from '../verify/check.ts';
import type { ExpiryChain } from '../verify/receipt/receipt-checks.ts';
import { createRpcChain } from '../verify/rpc-chain.ts';
import { allowHttpOption, encryptedUrl } from './common.ts';
import { print } from './say.ts';

export interface VerifyOptions {
  readonly rpc: readonly string[];
  readonly allowHttp?: true;
  readonly json?: true;
  readonly accept?: readonly string[];
}

/** Exit code of a check that could not be made. */
export const UNPROVABLE = 2;

/** A command of `slipway verify` that reads the chain. */
export function verifying(name: string, description: string): Command {
  return checking(name, description)
    .requiredOption('--rpc <url>', 'an RPC endpoint of your own choice; twice: what they say is compared', collected)
    .option('--accept <checks...>', 'checks that need not be provable for exit code 0')
    .addOption(allowHttpOption());
}

/** A command of `slipway verify`. */
export function checking(name: string, description: string): Command {
  return (
    new Command(name)
      .description(description)
      .option('--json', 'print the result as one line of JSON')
      // The exit code of an action that throws.
      .hook('preAction', () => {
        process.exitCode = UNPROVABLE;
      })
      // 1 says that a difference was found; an unreadable command line says nothing of the kind.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : UNPROVABLE))
  );
}

export function chainOf({ rpc, allowHttp }: VerifyOptions): ExpiryChain {
  return createRpcChain({ urls: rpc.map((url) => encryptedUrl(url, allowHttp)) });
}

/** Collects the values of an option that may be given several times. Throws for a text that is no URL. */
export function collected(url: string, urls: readonly string[] = []): readonly string[] {
  if (!URL.canParse(url)) throw new InvalidArgumentError(`"${url}" is no URL`);
  return [...urls, url];
}

/** Prints the checks and sets the exit code. */
export function report(checks: readonly Check[], chain: Chain, { accept, json }: VerifyOptions): void {
  const { exitCode, lines } = verdictOf(checks, chain, accept);
  print({ exitCode, calls: chain.calls, endpoints: chain.name, checks }, json === true, lines);
  process.exitCode = exitCode;
}

/** The lines that are printed, and the exit code. A check that is accepted counts only where it finds a difference. */
export function verdictOf(
  checks: readonly Check[],
  { calls, name }: Pick<Chain, 'calls' | 'name'>,
  accept: readonly string[] = [],
): { readonly exitCode: 0 | 1 | 2; readonly lines: readonly string[] } {
  const counted = checks.filter((check) => check.status !== 'unprovable' || !accept.includes(check.name));
  const proven = counted.filter(({ status }) => status === 'proven').length;
  const summary = `proven ${proven} of ${checks.length}, ${calls} calls to ${name}`;
  return { exitCode: exitCodeOf(counted), lines: [...checks.flatMap(linesOf), summary] };
}

const LABELS = { proven: 'ok  ', different: 'DIFF', unprovable: 'open' } as const;

export function linesOf({ name, status, how, expected, found }: Check): string[] {
  const line = `${LABELS[status]} ${name.padEnd(10)} ${how}`;
  if (!expected || !found) return [line];
  return [
    line,
    `       expected ${expected.value} (${expected.from})`,
    `       found    ${found.value} (${found.from})`,
  ];
}
