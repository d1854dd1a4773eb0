// Prints "N passed, N failed" from Vitest's JSON reports and each step's exit status; ends with 1 unless all is well.
// Usage: count.mjs STEP=STATUS[:REPORT] ..., such as "npm test=0:.data/ci/test.json"
import { existsSync, readFileSync } from 'node:fs';

const steps = process.argv.slice(2).map((argument) => {
  const [, name, status, report] = /^(.+)=(\d+)(?::(.+))?$/.exec(argument);
  return { name, status, report };
});

const counts = { passed: 0, failed: 0, skipped: 0 };

function countReport(report) {
  const before = counts.failed;
  const { testResults } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { testResults: [] };
  for (const { name, status, message, assertionResults } of testResults) {
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
