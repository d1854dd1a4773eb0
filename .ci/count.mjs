// Prints "N passed, N failed" from Vitest's JSON reports and each step's exit status; ends with 1 unless all is well.
// A file of REPORT-again.json counts in place of its first run.
// Usage: count.mjs STEP=STATUS[:REPORT] ..., such as "npm test=0:.data/ci/test"
import { readReport } from './report.mjs';

const steps = process.argv.slice(2).map((argument) => {
  const [, name, status, report] = /^(.+)=(\d+)(?::(.+))?$/.exec(argument);
  return { name, status, report };
});

const counts = { passed: 0, failed: 0, skipped: 0 };

function filesOf(report) {
  const again = new Map(readReport(`${report}-again.json`).map((file) => [file.name, file]));
  for (const { name, status } of again.values())
    if (status === 'passed')
      console.error(`ci: ${name} failed beside others and passed alone; its failure is printed above`);
  return readReport(`${report}.json`).map((file) => again.get(file.name) ?? file);
}

function countReport(report) {
  const before = counts.failed;
  for (const { name, status, message, assertionResults } of filesOf(report)) {
    for (const test of assertionResults)
      counts[test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped']++;
    if (status !== 'failed' || assertionResults.some((test) => test.status === 'failed')) continue;
    console.error(`ci: ${name} failed outside its tests: ${message}`);
    counts.failed++;
  }
  return counts.failed - before;
}

for (const { name, status, report } of steps) {
  const failures = report === undefined ? 0 : countReport(report);
  if (status === '0' || failures > 0) continue;
  console.error(`ci: "${name}" ended with status ${status}${report ? ' although no test failed' : ''}`);
  counts.failed++;
}

const { passed, failed, skipped } = counts;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
