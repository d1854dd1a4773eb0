// Prints the test files in which something failed by Vitest's JSON report, a line each; nothing where there are too many to be chance.
import { existsSync, readFileSync } from 'node:fs';

const MOST = 6;

const [report] = process.argv.slice(2);
const { testResults } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { testResults: [] };
const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
if (failed.length <= MOST) for (const name of failed) console.log(name);
