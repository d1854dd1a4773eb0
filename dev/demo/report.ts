import type { StackFile } from '../stack/stack-file.ts';
import type { DemoLaunch } from './launch-token.ts';
import type { Finding } from './read-back.ts';

/** A launch and what the chain shows of it. */
export interface Report {
  readonly launch: DemoLaunch;
  readonly findings: readonly Finding[];
}

/** Prints a report for people, or as one line of JSON. */
export function printReport({ launch, findings }: Report, stack: StackFile, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ launch, findings }));
    return;
  }
  const width = Math.max(...findings.map(({ what }) => what.length));
  console.log(`\n${launch.name} is live, read from the chain:\n`);
  for (const { what, found, ok } of findings) console.log(`  ${ok ? '✓' : '✗'} ${what.padEnd(width)}  ${found}`);
  console.log(
    `\n  prepared in ${Math.round(launch.prepareMs)} ms, completed ${Math.round(launch.submitMs)} ms after that`,
  );
  console.log(`  status       ${stack.apiUrl}/launches/${launch.paymentSignature}`);
  if (stack.temporalUiUrl !== null) console.log(`  Temporal UI  ${stack.temporalUiUrl}\n`);
}
