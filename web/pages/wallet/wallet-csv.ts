import { api } from '../../api/api.ts';
import { readCsvPage } from './read-csv-page.ts';
import { wholeCsv } from './whole-csv.ts';

/** The lists of a wallet that the API answers as CSV, with the most rows that a page of each takes. */
const MOST_ROWS = { rewards: 1_000, claims: 100 } as const;

export type CsvList = keyof typeof MOST_ROWS;

/** Reads all pages of a list. */
export function walletCsv(wallet: string, list: CsvList, signal: AbortSignal): Promise<string> {
  const url = `${api.url}/wallets/${encodeURIComponent(wallet)}/${list}?limit=${MOST_ROWS[list]}`;
  return wholeCsv(url, (page) => readCsvPage(page, { signal }));
}

/** How long a browser may take to begin reading what it saves, ms. */
const SAVING_MS = 60_000;

/** Has the browser save a text. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SAVING_MS);
}
