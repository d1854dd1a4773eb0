// Prints "N passed, N failed" from Vitest's JSON reports and the exit statuses of the steps; ends with status 1 unless all is well.
// Usage: count.mjs CHECK_STATUS TEST_STATUS REPORT [REPORT_OF_FILES_RUN_AGAIN]
import { existsSync, readFileSync } from 'node:fs';

const [checkStatus, testStatus, ...reports] = process.argv.slice(2);

/** What became of each file: what was run again counts as it ended then. */
function readFiles() {
  const files = new Map();
  for (const report of reports.filter((path) => existsSync(path))) {
    for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
      if (files.get(file.name)?.status === 'failed' && file.status === 'passed')
        console.error(`ci: ${file.name} failed beside other tests and passed by itself`);
      files.set(file.name, file);
    }
  }
  return [...files.values()];
}

const files = readFiles();
const tests = files.flatMap(({ assertionResults }) => assertionResults);
const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
// A file that does not even load has no test in it that could have failed.
const broken = files.filter(
  ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
);
for (const { name, message } of broken) console.error(`ci: ${name} failed outside its tests: ${message}`);

const [passed, failedTests] = [count('passed'), count('failed')];
const skipped = tests.length - passed - failedTests;
let failed = failedTests + broken.length;
if (testStatus !== '0' && failed === 0) {
  console.error(
    `ci: "npm test" ended with status ${testStatus} although no test failed (an error outside the tests, or none was found)`,
  );
  failed += 1;
}
if (checkStatus !== '0') {
  console.error(`ci: "npm run check" failed with status ${checkStatus}`);
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
