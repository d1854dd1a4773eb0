// Prints "N passed, N failed" from Vitest's JSON report and the exit statuses of the steps; ends with status 1 unless all is well.
import { existsSync, readFileSync } from 'node:fs';

const [report, checkStatus, testStatus] = process.argv.slice(2);

function readCounts() {
  if (!existsSync(report)) return { passed: 0, failed: 0, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  // A file that does not even load has no test in it that could have failed.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  for (const { name, message } of broken) console.error(`ci: ${name} failed outside its tests: ${message}`);
  return { passed: numPassedTests, failed: numFailedTests + broken.length, skipped: numPendingTests + numTodoTests };
}

const { passed, failed: failedTests, skipped } = readCounts();
let failed = failedTests;
if (checkStatus !== '0') {
  console.error(`ci: "npm run check" failed with status ${checkStatus}`);
  failed += 1;
}
if (testStatus !== '0' && failedTests === 0) {
  console.error(
    `ci: "npm test" ended with status ${testStatus} although no test failed (an error outside the tests, or none was found)`,
  );
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
