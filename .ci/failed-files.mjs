// Prints the failed files of a Vitest JSON report, one a line; none if there are more than a busy machine explains.
// Usage: failed-files.mjs REPORT
import { relative } from 'node:path';
import { readReport } from './report.mjs';

const MOST = 3;

const failed = readReport(process.argv[2]).filter(({ status }) => status === 'failed');
if (failed.length <= MOST) for (const { name } of failed) console.log(relative(process.cwd(), name));
