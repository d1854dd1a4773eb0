import { api } from '../../api/api.ts';
import { readCsvPage } from './read-csv-page.ts';
import { wholeCsv } from './whole-csv.ts';

/** The most that the list takes. */
const LIMIT = 1_000;

/** Every payment to a wallet. */
export function rewardsCsv(wallet: string, signal: AbortSignal): Promise<string> {
  const url = `${api.url}/wallets/${encodeURIComponent(wallet)}/rewards?limit=${LIMIT}`;
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
