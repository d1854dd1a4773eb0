import { BigNumber } from 'bignumber.js';

const JSON_TYPES = ['application/json', 'application/*', '*/*'];

/** Whether an `Accept` header prefers CSV to JSON. Of equal weights the one named first wins. */
export function prefersCsv(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  const known = ranges.filter(({ type, weight }) => weight > 0 && (type === 'text/csv' || JSON_TYPES.includes(type)));
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.type === 'text/csv';
}

export type Cell = string | number | boolean | null;

/** Null is an empty field. */
export function csvOf<Name extends string>(
  columns: readonly Name[],
  rows: readonly Readonly<Record<Name, Cell>>[],
): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

/** Spreadsheets run text that begins with these: a symbol is a stranger's text. */
const RUN = /^[=+\-@\t\r]/;

function cellOf(value: Cell): string {
  if (value === null) return '';
  // Spreadsheets and parsers of decimals do not read 8.8e-7.
  if (typeof value === 'number') return new BigNumber(value).toFixed();
  if (typeof value === 'boolean') return String(value);
  const text = RUN.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
