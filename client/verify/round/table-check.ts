import { WRAPPED_SOL } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { type LogDocument, readLogDocument } from '../log/log-document.ts';
import { readOfKey } from '../log/log-seals.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { findSealBy, type Seal, sealIn } from '../seal.ts';
import { everyHolder, type Tenure } from '../wallets/wallet-list.ts';
import type { RoundDocument, ShowLog, TableName } from './round-document.ts';
import { sealerOf, unknownSealer } from './sealed-wallets.ts';

/** Slots after which a table is too old for a plan: two hours. */
const TABLE_SLOTS = 18_000;

const RULES = 'docs/verify.md';
const PRICES = '`prices` of the document';

export interface TableQuestion {
  readonly show: ShowLog;
  /** Wallets of the sealed list; null without one. */
  readonly tenures: readonly Tenure[] | null;
  /** Transactions to read. */
  readonly most: number;
}

/**
 * Requires that the prices in USD are those of the newest log that was sealed before the balances of the last
 * observation. Its wallet is that of the round's seal, or the platform wallet of that slot by the sealed list.
 */
export async function checkTable(
  chain: Chain,
  document: RoundDocument,
  seal: Seal,
  { show, tenures, most }: TableQuestion,
): Promise<Outcome<null>> {
  const { table } = document.prices;
  if (table === null) throw new NotProvable('no sealed table is named: its prices are stated by the platform alone');
  const shown = show(table, document);
  const log = await readLogDocument(shown.text, shown.source);
  mustBeNamed(document, table, log, shown.source);
  mustHavePrices(document, log, shown.source);
  const from = readFrom(document);
  const sealed = await sealOf(chain, log, seal.payer, { tenures, most });
  mustBeBefore(sealed, from);
  await mustBeNewest(chain, sealed, from, {
    platforms: [seal.payer, ...everyHolder(tenures ?? [], 'platform')],
    most: readOfKey(most),
  });
  const before = `sealed ${from - sealed.slot} slots before the last observation`;
  return { how: `log ${log.number} has its prices, ${before}; key of receipts ${log.receiptKey}`, value: null };
}

function mustBeNamed({ genesisHash }: RoundDocument, table: TableName, log: LogDocument, source: string): void {
  mustEqual('another log is shown', { value: table.root, from: PRICES }, { value: log.root, from: source });
  const number = { value: String(log.number), from: source };
  mustEqual('the log has another number', { value: String(table.number), from: PRICES }, number);
  const genesis = { value: log.genesisHash, from: source };
  mustEqual('the log is of another chain', { value: genesisHash, from: 'the document' }, genesis);
}

function mustHavePrices({ quoteMint, prices }: RoundDocument, { prices: logged }: LogDocument, source: string): void {
  const priceOf = (mint: string) => {
    const price = logged.find((one) => one.mint === mint);
    if (price) return price;
    throw new Difference('the log has no such price', { value: mint, from: PRICES }, { value: 'none', from: source });
  };
  const [quote, sol] = [priceOf(quoteMint), priceOf(WRAPPED_SOL)];
  const { quoteUsd, solUsd, source: priceSource, pricedAt } = prices.stated;
  for (const [what, inLog, stated] of [
    ['price of the quote token', quote.usd, quoteUsd],
    ['source of its price', quote.source, priceSource],
    ['time of its price', quote.at, pricedAt],
    ['price of SOL', sol.usd, solUsd],
  ] as const)
    mustEqual(`the log has another ${what}`, { value: inLog, from: source }, { value: stated, from: PRICES });
}

/** Returns the first slot of which a balance of the last observation can be. */
function readFrom({ observations }: RoundDocument): number {
  const last = observations.at(-1);
  if (!last) throw new NotProvable('the document has no observation');
  return Math.min(last.slot, ...last.answerSlots);
}

async function sealOf(
  chain: Chain,
  { root, receiptKey, number }: LogDocument,
  payer: string,
  { tenures, most }: Pick<TableQuestion, 'tenures' | 'most'>,
): Promise<Seal> {
  const isOwn = (one: Seal) => one.payer === payer || (tenures !== null && sealerOf(tenures, one) === 'then');
  const { own, others } = await findSealBy(chain, { root, about: receiptKey }, isOwn, most);
  if (own) return own;
  const unknown = others.find((one) => tenures === null || sealerOf(tenures, one) === 'otherwise');
  if (unknown) throw unknownSealer(unknown, `log ${number}`);
  const expected = { value: `a seal of ${root} by ${payer}`, from: `log ${number}` };
  throw new Difference('the log is not sealed', expected, {
    value: 'none',
    from: `history of the root, ${chain.name}`,
  });
}

function mustBeBefore({ slot, signature }: Seal, from: number): void {
  const found = { value: `slot ${slot}`, from: signature };
  const before = { value: `before slot ${from}`, from: 'the last observation' };
  if (slot >= from) throw new Difference('the log was sealed when the balances were known', before, found);
  const young = { value: `slot ${from - TABLE_SLOTS} or later`, from: RULES };
  if (from - slot > TABLE_SLOTS) throw new Difference('the log is too old', young, found);
}

/** @throws NotProvable where a newer log could have been used: an operator who may choose among logs can choose prices */
async function mustBeNewest(
  chain: Chain,
  { payer, about, signature: until }: Seal,
  from: number,
  { platforms, most }: { readonly platforms: readonly string[]; readonly most: number },
): Promise<void> {
  const { entries, isWhole } = await chain.history(about, { until, most });
  const between = entries.filter(({ slot, hasFailed }) => !hasFailed && slot < from);
  if (!isWhole || between.length > most)
    throw new NotProvable(
      `more than ${most} transactions name the key of receipts ${about} since ${until}: raise --most`,
    );
  for (const { signature } of between) {
    const seal = sealIn(await listedTransaction(chain, signature));
    if (seal?.about === about && (seal.payer === payer || platforms.includes(seal.payer)))
      throw new NotProvable(`a newer log was sealed in slot ${seal.slot}, before the balances were read: ${signature}`);
  }
}
