import { associatedAccounts } from '../../solana/associated-account.ts';
import type { Chain } from '../chain.ts';
import { type Check, type Checks, createChecks, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { mustHaveKey } from '../key-wallet.ts';
import { readTokenAccount } from '../token-account.ts';
import { checkBalances } from './balance-checks.ts';
import { checkMovements } from './movement-checks.ts';
import { checkNothingBefore, checkPayouts } from './payout-checks.ts';
import { WINDOW_SLOTS } from './draw.ts';
import { checkDraws, checkReadings, checkWindow } from './observation-checks.ts';
import { checkDivision, checkSums } from './plan-checks.ts';
import { readPotHistory } from './pot-history.ts';
import { checkSalePrice, checkThresholds } from './price-checks.ts';
import { readRoundDocument, type RoundDocument, type ShowLog } from './round-document.ts';
import type { Seal } from '../seal.ts';
import { checkSeal } from './round-seal.ts';
import { readSealedWallets, type ShownWallets } from './sealed-wallets.ts';
import { checkTable } from './table-check.ts';

export interface RoundQuestion {
  readonly mint: string;
  readonly number: number;
  readonly text: AsyncIterable<string> | Iterable<string>;
  readonly source: string;
  readonly chain: Chain;
  /** Shows the log that the document's prices are from. */
  readonly log: ShowLog;
  /** Must have sealed; default: the pot's payer. */
  readonly platformWallet?: string;
  /** The platform's wallets: it may have sealed with another one before. */
  readonly wallets?: ShownWallets;
  /** On either side of the seal; default 2,000. */
  readonly most?: number;
  /** Length of windows; default: the published one. */
  readonly windowSlots?: number;
  /** Checks the row of this owner, and the seal, alone. */
  readonly owner?: string;
  /** Rows whose balances are read; default 1,000. */
  readonly rows?: number;
  /** Draws them if there are more; default: at random. */
  readonly seed?: string;
}

const [MOST_READ, MOST_ROWS] = [2_000, 1_000];

export async function verifyRound(question: RoundQuestion): Promise<readonly Check[]> {
  const { chain, owner, rows = MOST_ROWS, seed = crypto.randomUUID() } = question;
  const bounded = { ...question, most: question.most ?? MOST_READ };
  const checks = createChecks();
  const document = await checks.run('document', () => readAsked(question));
  if (document) {
    await checks.run('sums', () => checkSums(document));
    await checks.run('division', () => checkDivision(document));
    await checks.run('thresholds', () => checkThresholds(chain, document));
    if (owner === undefined) await checkMoments(question, document, checks);
    const seal = await checks.run('seal', () => checkSeal(bounded, document));
    if (seal && owner === undefined) await checkMoney(bounded, document, seal, checks);
    const which = { rows, seed, ...(owner !== undefined && { owner }) };
    await checks.run('balances', () => checkBalances(chain, document, which));
  }
  await checks.run('prices', () => open('that the prices are those of the market'));
  return checks.done;
}

async function checkMoments(question: RoundQuestion, document: RoundDocument, checks: Checks): Promise<void> {
  const { chain, windowSlots = WINDOW_SLOTS } = question;
  await checks.run('draws', () => checkDraws(chain, document, windowSlots));
  await checks.run('readings', () => checkReadings(document));
}

async function checkMoney(
  { chain, log, wallets, most }: RoundQuestion & { readonly most: number },
  document: RoundDocument,
  seal: Seal,
  checks: Checks,
): Promise<void> {
  const tenures = wallets ? await checks.run('wallets', () => readSealedWallets(document, log, wallets)) : null;
  await checks.run('table', () => checkTable(chain, document, seal, { show: log, tenures, most }));
  await checks.run('pot', () => checkPot(chain, document));
  const history = await checks.run('order', async () => {
    const value = await readPotHistory(chain, document, { seal, most, tenures });
    return { how: 'the only seal of this pot behind the previous one', value };
  });
  if (!history) return;
  await checks.run('window', () => checkWindow(document, history, seal));
  await checks.run('before', () => checkNothingBefore(document, history, seal));
  await checks.run('movements', () => checkMovements(chain, document, history, most));
  await checks.run('sale', () => checkSalePrice(chain, document));
  await checks.run('payouts', () => checkPayouts(chain, document, seal, history));
}

function open(what: string): never {
  throw new NotProvable(`not checked by this version: ${what}`);
}

async function readAsked({ text, source, mint, number, chain }: RoundQuestion): Promise<Outcome<RoundDocument>> {
  const document = await readRoundDocument(text, source);
  const asked = (value: string) => ({ value, from: 'the command line' });
  mustEqual('it is of another coin', asked(mint), { value: document.mint, from: source });
  mustEqual('it is of another round', asked(String(number)), { value: String(document.number), from: source });
  const genesis = { value: await chain.genesisHash(), from: chain.name };
  mustEqual('it is of another chain', genesis, { value: document.genesisHash, from: source });
  return { how: `${document.rows.length} rows in order, root ${document.root}`, value: document };
}

async function checkPot(chain: Chain, { pot, mint, quoteMint }: RoundDocument): Promise<Outcome<null>> {
  const addresses = [mint, quoteMint].flatMap((token) => associatedAccounts(pot, token));
  const [owner, ...accounts] = await chain.accounts([pot, ...addresses]);
  mustHaveKey(pot, owner);
  accounts.forEach((state, index) => {
    const account = state && readTokenAccount(state);
    if (!account) return;
    const from = `${addresses[index]} on ${chain.name}`;
    const alone = (value: string) => ({ value, from: 'docs/verify.md' });
    mustEqual('an account of the pot has another owner', alone(pot), { value: account.owner, from });
    mustEqual('a delegate may move tokens of the pot', alone('nobody'), { value: account.delegate ?? 'nobody', from });
    const closer = { value: account.closeAuthority ?? 'nobody', from };
    mustEqual('another key may close an account of the pot', alone('nobody'), closer);
  });
  return { how: 'its accounts are its own, without a delegate', value: null };
}
