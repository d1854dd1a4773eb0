import { existsSync, readFileSync } from 'node:fs';

/** Returns the results of each file of a Vitest JSON report; none without the file. */
export function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).testResults : [];
}
