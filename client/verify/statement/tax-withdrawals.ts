import { associatedAccounts } from '../../solana/associated-account.ts';
import { toBase58 } from '../../solana/bytes.ts';
import type { Instruction } from '../../solana/message.ts';
import { RAYDIUM_LOCK_PROGRAM, TOKEN_2022_PROGRAM } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, NotProvable, type Outcome } from '../check.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { mustHaveKey } from '../key-wallet.ts';
import { readMint } from '../mint-account.ts';
import { mustKeepAccounts, mustKeepOwn, mustSignForTrusted, PLAIN_PROGRAMS } from '../kept-accounts.ts';
import type { Landed } from '../landed.ts';
import { readTokenAccount } from '../token-account.ts';
import type { PotStatement } from './movement-rows.ts';

/** Token-2022 (instruction.rs; extension/transfer_fee/instruction.rs). */
const [SET_AUTHORITY, TRANSFER_CHECKED, TRANSFER_FEE_EXTENSION] = [6, 12, 26];
const WITHHELD_WITHDRAW = 5;
const [INITIALIZE_CONFIG, TRANSFER_WITH_FEE, WITHDRAW_FROM_MINT, WITHDRAW_FROM_ACCOUNTS] = [0, 1, 2, 3];

/** The lock program pays fees to the holder of a Fee Key. It takes nothing but what it locks, which is no coin. */
const WITHDRAWING: readonly string[] = [...PLAIN_PROGRAMS, RAYDIUM_LOCK_PROGRAM];

/** Transactions of the coin that are listed, for each one that `--most` allows to read: a call lists 1,000. */
const LISTED_FOR_ONE = 100;

/**
 * Requires that all tax went to the pot or was burned: what the wallet withdrew that may withdraw now, and each one that
 * might before. The coin's first transaction names the first of them; each passes the right on by its signature.
 */
export async function checkTax(chain: Chain, { mint, pot }: PotStatement, most: number): Promise<Outcome<null>> {
  const [state] = await chain.accounts([mint]);
  const authority = state && readMint(state)?.transferFee?.withdrawAuthority;
  if (!authority) throw new NotProvable(`${mint} has no tax that can be withdrawn, by ${chain.name}`);
  const question = { mint, pot, authority, most };
  let withdrawals = await checkWallet(chain, authority, question, (landed) => mustKeepRight(landed, authority, mint));
  const first = await firstAuthority(chain, question);
  const wallets = new Set([first]);
  for (const wallet of wallets) {
    if (wallet === authority) continue;
    withdrawals += await checkWallet(chain, wallet, question, ({ instructions }) =>
      instructions.flatMap((one) => heirIn(one, mint, wallet)).forEach((heir) => wallets.add(heir)),
    );
  }
  if (!wallets.has(authority))
    throw new NotProvable(
      `${[...wallets].join(', ')} might withdraw tax, and nothing shows how ${authority} got the right`,
    );
  const earlier = wallets.size > 1 ? `, and by ${wallets.size - 1} before` : '';
  return { how: `${withdrawals} movements of tax by ${authority}${earlier}, all to the pot or burned`, value: null };
}

interface TaxQuestion {
  readonly mint: string;
  readonly pot: string;
  /** Withdraws now. */
  readonly authority: string;
  readonly most: number;
}

/** Reads all that this wallet signed. Returns the number of its movements of tax. */
async function checkWallet(
  chain: Chain,
  wallet: string,
  { mint, pot, authority, most }: TaxQuestion,
  look: (landed: Landed) => void,
): Promise<number> {
  const own = associatedAccounts(wallet, mint);
  const allowed = new Set([...own, ...[pot, authority].flatMap((owner) => associatedAccounts(owner, mint))]);
  const { entries, isWhole } = await chain.history(wallet, { most });
  const signed: Landed[] = [];
  let withdrawals = 0;
  for (const { signature, hasFailed } of entries.slice(0, most)) {
    if (hasFailed) continue;
    const landed = await listedTransaction(chain, signature);
    if (!landed.signers.includes(wallet)) continue;
    signed.push(landed);
    look(landed);
    const moves = landed.instructions.flatMap((one) => destinationOf(one, mint) ?? []);
    if (moves.length > 0) mustKeepAccounts(landed, wallet, 'the rewards wallet');
    // Tax could leave it without the wallet's signature.
    mustKeepOwn(landed, wallet, own, 'the rewards wallet');
    for (const to of moves) {
      withdrawals += 1;
      if (allowed.has(to) && !landed.loaded.includes(to)) continue;
      const expected = { value: [...allowed].join(' or '), from: 'the pot and the rewards wallet' };
      throw new Difference('tax went to another account', expected, { value: to, from: signature });
    }
  }
  mustSignForTrusted(signed, wallet, WITHDRAWING);
  if (!isWhole || entries.length > most)
    throw new NotProvable(`more than ${most} transactions name ${wallet}, which withdraws tax: raise --most`);
  await mustBeEmpty(chain, wallet, mint);
  return withdrawals;
}

/** Reads who might withdraw the tax at first, from the transaction that made the mint. */
async function firstAuthority(chain: Chain, { mint, most }: TaxQuestion): Promise<string> {
  const listed = most * LISTED_FOR_ONE;
  const { entries, isWhole } = await chain.history(mint, { most: listed });
  if (!isWhole) throw new NotProvable(`more than ${listed} transactions name the coin ${mint}: raise --most`);
  // Anybody can name the mint before it is made.
  const oldest = entries.filter(({ hasFailed }) => !hasFailed).slice(-most);
  for (const { signature } of oldest.toReversed()) {
    const { instructions } = await listedTransaction(chain, signature);
    const [first] = instructions.flatMap((one) => madeWith(one, mint));
    if (first !== undefined) return first;
  }
  throw new NotProvable(`${chain.name} does not show the transaction that made ${mint}, among its oldest ${most}`);
}

/** The wallet that may withdraw, in an instruction that gives a new mint its tax. */
function madeWith({ program, data, accounts }: Instruction, mint: string): string[] {
  const isIt = program === TOKEN_2022_PROGRAM && data[0] === TRANSFER_FEE_EXTENSION && data[1] === INITIALIZE_CONFIG;
  if (!isIt || accounts[0]?.address !== mint) return [];
  const at = 2 + (data[2] === 1 ? 33 : 1);
  return data[at] === 1 ? [toBase58(data.subarray(at + 1, at + 33))] : [];
}

/** The wallet that gets the right to withdraw from this one. */
function heirIn({ program, data, accounts: [first, signer] }: Instruction, mint: string, wallet: string): string[] {
  const isIt = program === TOKEN_2022_PROGRAM && data[0] === SET_AUTHORITY && data[1] === WITHHELD_WITHDRAW;
  if (!isIt || first?.address !== mint || signer?.address !== wallet || data[2] !== 1) return [];
  return [toBase58(data.subarray(3, 35))];
}

/** @throws Difference where the wallet lets another key withdraw the tax: that can give the right back unseen */
function mustKeepRight({ instructions, signature }: Landed, authority: string, mint: string): void {
  const given = instructions.some(
    ({ program, data, accounts: [first, signer] }) =>
      program === TOKEN_2022_PROGRAM &&
      data[0] === SET_AUTHORITY &&
      first?.address === mint &&
      signer?.address === authority,
  );
  if (!given) return;
  const expected = { value: `${authority} alone withdraws tax`, from: 'docs/verify.md' };
  throw new Difference('the right to withdraw tax is given away', expected, { value: 'SetAuthority', from: signature });
}

function destinationOf({ program, data, accounts }: Instruction, mint: string): string | null {
  if (program !== TOKEN_2022_PROGRAM) return null;
  const [first, second, third] = accounts.map(({ address }) => address);
  const [tag, extension] = data;
  const isWithdrawal =
    tag === TRANSFER_FEE_EXTENSION && (extension === WITHDRAW_FROM_MINT || extension === WITHDRAW_FROM_ACCOUNTS);
  if (isWithdrawal && first === mint) return second ?? null;
  const isTransfer = tag === TRANSFER_CHECKED || (tag === TRANSFER_FEE_EXTENSION && extension === TRANSFER_WITH_FEE);
  return isTransfer && second === mint ? (third ?? null) : null;
}

/**
 * Requires that no tax stays in the withdrawing wallet: it belongs to the holders, and a round passes it on. The wallet
 * is a key's.
 */
async function mustBeEmpty(chain: Chain, authority: string, mint: string): Promise<void> {
  const [wallet, ...own] = await chain.accounts([authority, ...associatedAccounts(authority, mint)]);
  mustHaveKey(authority, wallet);
  for (const state of own) {
    const raw = (state && readTokenAccount(state)?.raw) ?? 0n;
    if (raw > 0n)
      throw new NotProvable(`${raw} raw units of tax lie with ${authority}, until a round takes them to the pot`);
  }
}
