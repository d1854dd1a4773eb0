import type { Answer, Api } from '../http/api.ts';
import { NotProvable } from '../verify/check.ts';
import { shown } from '../verify/growing-list.ts';
import type { ShownLog } from '../verify/log/log-document.ts';
import type { ShowLog } from '../verify/round/round-document.ts';
import { textOf } from './document-text.ts';

type NewestLog = Answer<'GET /platform/log'>['log'];

/** Reads documents of logs at the platform's site, by their roots. */
export function logDocuments(api: Api, allowHttp: true | undefined): (root: string) => Promise<ShownLog> {
  let newest: Promise<NewestLog> | null = null;
  return async (root) => {
    newest ??= shown(async () => (await api.ask('GET /platform/log')).log);
    const log = await newest;
    if (log === null) throw new NotProvable('the platform shows no log');
    return documentAt(log.documentUrl.replace(log.root, root), allowHttp);
  };
}

/** The log that the platform says has the receipt of this payment. */
export async function logOfReceipt(
  api: Api,
  paymentSignature: string,
  allowHttp: true | undefined,
): Promise<ShownLog | null> {
  const { log } = await api.ask('GET /launches/{paymentSignature}/receipt', { path: { paymentSignature } });
  return log && documentAt(log.documentUrl, allowHttp);
}

/**
 * The log that the prices of a round are from: `own`, else where the platform shows the round's document, under its
 * own root.
 */
export function logOfRound(document: string, own: string | undefined, allowHttp: true | undefined): ShowLog {
  return (table, { root }) => {
    if (own !== undefined) return { text: textOf(own, allowHttp), source: own };
    if (/^https?:\/\//.test(document) && document.includes(root))
      return documentAt(document.replace(root, table.root), allowHttp);
    throw new NotProvable(
      `log ${table.number}, which its prices are from, is needed: --log with the document ${table.root}`,
    );
  };
}

/** @throws NotProvable where the platform names no URL: its response must not choose a file of this machine */
function documentAt(url: string, allowHttp: true | undefined): ShownLog {
  if (!/^https?:\/\//.test(url)) throw new NotProvable(`the platform names ${url}, which is no http or https URL`);
  return { text: textOf(url, allowHttp), source: url };
}
