import { type Check, createChecks, mustEqual, type Outcome } from '../../client/verify/check.ts';
import { checkDivision, checkSums } from '../../client/verify/round/plan-checks.ts';
import { type HolderRow, readRoundDocument, type RoundDocument } from '../../client/verify/round/round-document.ts';

export interface RoundQuestion {
  readonly mint: string;
  readonly number: number;
  /** Of the seal, hex, as the platform states it. */
  readonly root: string;
  readonly wallet: string;
  readonly text: AsyncIterable<string> | Iterable<string>;
  readonly source: string;
}

export interface CheckedRound {
  readonly checks: readonly Check[];
  /** Null where a check found a difference: its rows prove nothing. */
  readonly document: RoundDocument | null;
  /** Null for a wallet without a row. */
  readonly row: HolderRow | null;
}

/** Checks a round's document without the chain: its root, its sums, and the division again. */
export async function checkRound(question: RoundQuestion): Promise<CheckedRound> {
  const checks = createChecks();
  const document = await checks.run('document', () => readAsked(question));
  if (document) {
    await checks.run('root', () => checkRoot(document, question));
    await checks.run('sums', () => checkSums(document));
    await checks.run('division', () => checkDivision(document));
  }
  const isWhole = checks.done.every(({ status }) => status === 'proven');
  const row = document?.rows.find(({ owner }) => owner === question.wallet) ?? null;
  return { checks: checks.done, document: isWhole ? document : null, row: isWhole ? row : null };
}

async function readAsked({ text, source, mint, number }: RoundQuestion): Promise<Outcome<RoundDocument>> {
  const document = await readRoundDocument(text, source);
  const asked = (value: string) => ({ value, from: 'this page' });
  mustEqual('it is of another coin', asked(mint), { value: document.mint, from: source });
  mustEqual('it is of another round', asked(String(number)), { value: String(document.number), from: source });
  return { how: `${document.rows.length} rows in order, of this coin and round`, value: document };
}

function checkRoot(document: RoundDocument, { root, source }: RoundQuestion): Outcome<null> {
  const computed = { value: document.root, from: `the hashes of all lines of ${source}` };
  mustEqual('the document has another root than the seal', { value: root, from: 'the seal' }, computed);
  return { how: `${root}, computed from every line, is the root of the seal`, value: null };
}
