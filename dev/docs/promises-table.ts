import { basename, dirname } from 'node:path';
import { type Promised, PROMISES } from './promises.ts';
import { table } from './table.ts';

/** A table for each subject, whose tests are links from a page of docs/. */
export function promisesText(): string {
  return Object.entries(PROMISES)
    .map(([subject, rows]) => table([subject, 'tests'], rows.map(rowOf)))
    .join('\n\n');
}

function rowOf({ promise, tests, note }: Promised): readonly string[] {
  const names = tests.map(nameOf);
  const links = tests.map((path, at) => {
    const isAmbiguous = names.indexOf(names[at]!) !== names.lastIndexOf(names[at]!);
    return `[${isAmbiguous ? `${basename(dirname(path))} ` : ''}${names[at]}](../test/${path})`;
  });
  return [promise, note === undefined ? links.join(', ') : `${links.join(', ')} (${note})`];
}

/** `late-submit` of `launch/late-submit.test.ts`. */
const nameOf = (path: string): string => basename(path).replace(/(?:\.campaign)?\.test\.ts$/, '');
