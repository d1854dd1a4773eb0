import type { Chain } from '../chain.ts';
import { type Check, createChecks, Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { mustKeepRest } from '../launch/kept-coins.ts';
import { mustHaveKey } from '../key-wallet.ts';
import { readBundle } from '../launch/launch-bundle.ts';
import { readLaunchedMint } from '../launch/mint-checks.ts';
import { type FeeRate, readMint } from '../mint-account.ts';
import { findSeal, type Seal } from '../seal.ts';
import { type AirdropDocument, readAirdropDocument } from './airdrop-document.ts';
import { checkDeliveries, checkNothingBefore } from './delivery-checks.ts';
import { checkList } from './list-checks.ts';
import { readWalletHistory } from './wallet-history.ts';

export interface AirdropQuestion {
  readonly mint: string;
  readonly text: AsyncIterable<string> | Iterable<string>;
  readonly source: string;
  readonly chain: Chain;
  /** sha256 of the recipients' document, hex, as prepare's response gave it; default: as the document states it. */
  readonly recipientsHash?: string;
  /** Transactions of the launch wallet that are read at most; default 5,000. */
  readonly most?: number;
}

const MOST_READ = 5_000;

export async function verifyAirdrop(question: AirdropQuestion): Promise<readonly Check[]> {
  const { chain, source, most = MOST_READ } = question;
  const checks = createChecks();
  const document = await checks.run('document', () => readAsked(question));
  if (document) {
    await checks.run('list', () => checkList(document, source));
    const launched = await checks.run('launch', () => checkLaunch(chain, document));
    const tax = await checks.run('tax', () => checkTax(chain, document));
    const seal = await checks.run('seal', () => checkSeal(chain, document, most));
    const history =
      seal &&
      launched &&
      (await checks.run('order', async () => {
        const value = await readWalletHistory(chain, document, { seal, launched, most });
        return { how: 'the only seal of this airdrop', value };
      }));
    if (seal && history) {
      await checks.run('before', () => checkNothingBefore(document, history, seal));
      if (tax) await checks.run('delivered', () => checkDeliveries(document, history, tax.rate));
    }
  }
  await checks.run('ranking', () => {
    throw new NotProvable('not checked by this version: that the list is the largest holders at the snapshot slot');
  });
  return checks.done;
}

async function readAsked(question: AirdropQuestion): Promise<Outcome<AirdropDocument>> {
  const { text, source, mint, chain, recipientsHash } = question;
  const document = await readAirdropDocument(text, source);
  const asked = (value: string) => ({ value, from: 'the command line' });
  mustEqual('it is of another coin', asked(mint), { value: document.mint, from: source });
  const genesis = { value: await chain.genesisHash(), from: chain.name };
  mustEqual('it is of another chain', genesis, { value: document.genesisHash, from: source });
  const stated = { value: document.recipientsHash, from: source };
  mustEqual('it is of another list', asked(recipientsHash ?? document.recipientsHash), stated);
  return { how: `${document.recipients.length} rows in order, root ${document.root}`, value: document };
}

/** Returns the launch's last transaction. */
async function checkLaunch(chain: Chain, document: AirdropDocument): Promise<Outcome<string>> {
  const { payment, mint, launchWallet, quoteId } = document;
  const { value: bundle } = await readBundle(chain, payment);
  readLaunchedMint(bundle, mint);
  mustKeepRest(bundle, mint);
  const from = `the launch by ${payment}`;
  const stated = (value: string) => ({ value, from: 'the head of the document' });
  mustEqual('another wallet launched it', { value: bundle.launchWallet, from }, stated(launchWallet));
  mustEqual('it is of another quote', { value: bundle.quoteId, from }, stated(quoteId));
  const [wallet] = await chain.accounts([launchWallet]);
  mustHaveKey(launchWallet, wallet);
  return { how: `quote ${quoteId}, launched by ${launchWallet}`, value: bundle.locks.signature };
}

async function checkTax(chain: Chain, { mint, taxBps }: AirdropDocument): Promise<Outcome<{ rate: FeeRate | null }>> {
  const [account] = await chain.accounts([mint]);
  const state = account && readMint(account);
  if (!state) throw new NotProvable(`${chain.name} has no mint ${mint}`);
  const { transferFee } = state;
  const from = `${mint} on ${chain.name}`;
  const stated = { value: String(taxBps), from: '`taxBps`' };
  const rates = [transferFee?.older.bps ?? 0, transferFee?.newer.bps ?? 0];
  for (const bps of rates) mustEqual('the coin has another tax', stated, { value: String(bps), from });
  const nobody = { value: 'nobody', from: 'docs/verify.md' };
  mustEqual('the tax can change', nobody, { value: transferFee?.authority ?? 'nobody', from });
  return { how: `${taxBps} bps, which nobody can change`, value: { rate: transferFee?.newer ?? null } };
}

async function checkSeal(
  chain: Chain,
  { root, mint, launchWallet }: AirdropDocument,
  most: number,
): Promise<Outcome<Seal>> {
  const seal = await findSeal(chain, { root, about: mint }, launchWallet, most);
  if (seal) return { how: `root ${root} in ${seal.signature}, slot ${seal.slot}, by ${launchWallet}`, value: seal };
  const expected = { value: `a seal of ${root} by ${launchWallet}`, from: 'docs/verify.md' };
  const from = `history of the root, ${chain.name}`;
  throw new Difference('the document is not sealed', expected, { value: 'none', from });
}
