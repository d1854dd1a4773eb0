import type { DemoPlatform, DemoResult } from './scenario.ts';

export function isAllAsPromised(results: readonly DemoResult[]): boolean {
  return results.every(({ findings }) => findings.every(({ ok }) => ok));
}

/** Prints a report, or one line of JSON with amounts as decimal strings. */
export function printReport(results: readonly DemoResult[], platform: DemoPlatform, json: boolean): void {
  if (json) {
    console.log(
      JSON.stringify({ launches: results }, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    );
    return;
  }
  for (const result of results) printResult(result, platform);
  if (platform.temporalUiUrl !== null) console.log(`Every launch as a workflow: ${platform.temporalUiUrl}\n`);
}

function printResult({ launch, findings, trades }: DemoResult, platform: DemoPlatform): void {
  const width = Math.max(...findings.map(({ what }) => what.length));
  console.log(`\n${launch.name} is live, read from the chain:\n`);
  for (const { what, found, ok } of findings) console.log(`  ${ok ? '✓' : '✗'} ${what.padEnd(width)}  ${found}`);
  console.log('\n  what it took');
  for (const { step, lamports } of launch.costs)
    console.log(`    ${step.padEnd(26)} ${String(lamports).padStart(13)} lamports`);
  console.log(`    prepared in ${Math.round(launch.prepareMs)} ms, completed ${Math.round(launch.submitMs)} ms later`);
  if (trades.length > 0) console.log('\n  first trades');
  for (const { side, paid, received } of trades) console.log(`    ${side.padEnd(4)}  ${paid} for ${received}`);
  console.log(`\n  ${platform.apiUrl}/launches/${launch.paymentSignature}\n`);
}
