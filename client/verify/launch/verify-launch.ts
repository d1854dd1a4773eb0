import { isAddress } from '../../solana/bytes.ts';
import { memoText } from '../../solana/memo.ts';
import { MEMO_PROGRAM } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { type Check, createChecks, Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { shown } from '../growing-list.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { METADATA, type MintAccount } from '../mint-account.ts';
import { checkFeeKeys } from './fee-keys.ts';
import { readBundle } from './launch-bundle.ts';
import { checkLiquidity, keptOf, type Liquidity } from './liquidity-checks.ts';
import {
  checkMint,
  isMutable,
  type LaunchedMint,
  METAPLEX_PROGRAM,
  metaplexAddress,
  mintOfMetadata,
  readLaunchedMint,
} from './mint-checks.ts';
import type { ShownLaunch } from './shown-launch.ts';
import { checkDevBuy, checkPrice, checkShare, type MoneyWish } from './wish-checks.ts';

export interface LaunchQuestion {
  /** Mint, or signature of the payment. A coin with many transactions needs the signature. */
  readonly launch: string;
  readonly chain: Chain;
  /** Transactions of a mint that are read at most to find its first; default 20,000. */
  readonly most?: number;
  /** A platform's statements; without them the holders of its own Fee Keys are printed and not proven. */
  readonly shown?: ShownLaunch | null;
  /** No public document has it; without it the launch is compared with no wish. */
  readonly wish?: MoneyWish | null;
}

const MOST_READ = 20_000;

export async function verifyLaunch({
  launch,
  chain,
  most = MOST_READ,
  shown: platform = null,
  wish = null,
}: LaunchQuestion): Promise<readonly Check[]> {
  const checks = createChecks();
  const asked = isAddress(launch) ? launch : null;
  const payment = asked === null ? launch : await checks.run('found', () => findPayment(chain, asked, most));
  const bundle = payment === null ? null : await checks.run('bundle', () => readBundle(chain, payment));
  const launched = bundle && (await checks.run('coin', () => readLaunchedMint(bundle, asked)));
  if (!bundle || !launched) return checks.done;
  const mint = await checks.run('mint', () => checkMint(chain, bundle, launched));
  if (mint) await checks.run('metadata', () => checkMetadata(chain, launched, mint));
  const liquidity = await checks.run('liquidity', () => checkLiquidity(chain, bundle, launched));
  if (liquidity && mint) await checks.run('keys', () => checkFeeKeys(chain, bundle, { liquidity, mint }, platform));
  if (wish) await checks.run('price', () => checkPrice(bundle, wish));
  // Only of a known pool it is certain that it took the coins which are not kept.
  if (wish && liquidity && mint) {
    const coin = { address: launched.mint, transferFee: mint.transferFee };
    await checks.run('dev buy', () => checkDevBuy(bundle, coin, wish));
    await checks.run('share', () => checkShare(keptOf(bundle, launched.mint), bundle, wish));
  }
  if (liquidity && platform) await checks.run('shown', () => checkShown(platform, launched, liquidity));
  return checks.done;
}

/** The platform shows the pool of the launch, and no other one of the coin. */
async function checkShown(
  { coin, source }: ShownLaunch,
  { mint }: LaunchedMint,
  { pool, quoteMint }: Liquidity,
): Promise<Outcome<null>> {
  const stated = await shown(() => coin(mint));
  mustEqual('another pool is shown', { value: pool, from: 'the launch' }, { value: stated.pool, from: source });
  const quote = { value: stated.quoteMint, from: source };
  mustEqual('another quote token is shown', { value: quoteMint, from: 'the launch' }, quote);
  return { how: 'pool and quote token are those of the launch', value: null };
}

/** Finds the payment: in its block, the transaction before the mint's first one. */
async function findPayment(chain: Chain, mint: string, most: number): Promise<Outcome<string>> {
  const { entries, isWhole } = await chain.history(mint, { most });
  if (!isWhole) throw new NotProvable(`more than ${most} transactions name ${mint}: name the signature of the payment`);
  const first = entries.findLast(({ hasFailed }) => !hasFailed);
  if (!first) throw new NotProvable(`${chain.name} knows no transaction of ${mint}`);
  const { signatures } = await chain.block(first.slot);
  const payment = signatures[signatures.indexOf(first.signature) - 1];
  if (payment === undefined || !(await isPayment(chain, payment)))
    throw new NotProvable(
      `no payment stands before ${first.signature} in its block ${first.slot}: a launch that was resumed is in several, and its receipt names them (verify receipt)`,
    );
  return { how: `${payment} stands before the first transaction of ${mint}`, value: payment };
}

async function isPayment(chain: Chain, signature: string): Promise<boolean> {
  const { instructions } = await listedTransaction(chain, signature);
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM).map(memoText);
  return memos.some((text) => text.startsWith('launch/') && text.endsWith('/1'));
}

/** The metadata can never change. Token-2022 can have them in the mint, which `mint` checks. */
async function checkMetadata(chain: Chain, { mint }: LaunchedMint, state: MintAccount): Promise<Outcome<null>> {
  if (state.extensions.includes(METADATA) && state.metadataAddress === mint)
    return { how: 'in the mint, without an authority', value: null };
  const address = metaplexAddress(mint);
  const [account] = await chain.accounts([address]);
  // Only the mint authority can add metadata, and the mint has none.
  if (!account) return { how: 'there are none, and nobody can make them', value: null };
  const from = `${address} on ${chain.name}`;
  const isFixed =
    account.program === METAPLEX_PROGRAM && mintOfMetadata(account.data) === mint && !isMutable(account.data);
  if (!isFixed)
    throw new Difference(
      'the metadata can change',
      { value: 'fixed', from: 'docs/verify.md' },
      { value: 'mutable', from },
    );
  return { how: `${address} is immutable`, value: null };
}
