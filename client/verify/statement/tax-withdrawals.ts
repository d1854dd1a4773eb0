import { associatedAccounts } from '../../solana/associated-account.ts';
import type { Instruction } from '../../solana/message.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, NotProvable, type Outcome } from '../check.ts';
import { readMint } from '../mint-account.ts';
import { mustKeepAccounts, mustSignForTrusted, PLAIN_PROGRAMS } from '../round/pot-history.ts';
import type { Landed } from '../landed.ts';
import { readTokenAccount } from '../token-account.ts';
import type { PotStatement } from './movement-rows.ts';

/** Token-2022 (instruction.rs; extension/transfer_fee/instruction.rs). */
const [SET_AUTHORITY, TRANSFER_CHECKED, TRANSFER_FEE_EXTENSION] = [6, 12, 26];
const [TRANSFER_WITH_FEE, WITHDRAW_FROM_MINT, WITHDRAW_FROM_ACCOUNTS] = [1, 2, 3];

export async function checkTax(chain: Chain, { mint, pot }: PotStatement, most: number): Promise<Outcome<null>> {
  const [state] = await chain.accounts([mint]);
  const authority = state && readMint(state)?.transferFee?.withdrawAuthority;
  if (!authority) throw new NotProvable(`${mint} has no tax that can be withdrawn, by ${chain.name}`);
  const own = associatedAccounts(authority, mint);
  const allowed = new Set([...associatedAccounts(pot, mint), ...own]);
  const { entries, isWhole } = await chain.history(authority, { most });
  const signed: Landed[] = [];
  let withdrawals = 0;
  for (const { signature, hasFailed } of entries.slice(0, most)) {
    const landed = hasFailed ? null : await chain.transaction(signature);
    if (!landed?.signers.includes(authority)) continue;
    signed.push(landed);
    mustKeepRight(landed, authority, mint);
    mustKeepOwn(landed, authority, own);
    const moves = landed.instructions.flatMap((one) => destinationOf(one, mint) ?? []);
    for (const to of moves) {
      withdrawals += 1;
      if (allowed.has(to) && !landed.loaded.includes(to)) continue;
      const expected = { value: [...allowed].join(' or '), from: 'the pot and the rewards wallet' };
      throw new Difference('tax went to another account', expected, { value: to, from: signature });
    }
  }
  // The wallet could sell the tax on an exchange and let a friend have the proceeds.
  mustSignForTrusted(signed, authority, PLAIN_PROGRAMS);
  if (!isWhole || entries.length > most)
    throw new NotProvable(`more than ${most} transactions name the rewards wallet ${authority}: raise --most`);
  await mustBeEmpty(chain, authority, mint);
  return { how: `${withdrawals} movements of tax by ${authority}, all to the pot or burned`, value: null };
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

/** @throws Difference where the wallet gives another key power over its account of the coin, which may hold tax later */
function mustKeepOwn(landed: Landed, authority: string, own: readonly string[]): void {
  const instructions = landed.instructions.filter(({ accounts: [account] }) => own.includes(account?.address ?? ''));
  mustKeepAccounts({ ...landed, instructions }, authority, 'the rewards wallet');
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

/** Requires that no tax stays in the withdrawing wallet: it belongs to the holders, and a round passes it on. */
async function mustBeEmpty(chain: Chain, authority: string, mint: string): Promise<void> {
  for (const state of await chain.accounts(associatedAccounts(authority, mint))) {
    const raw = (state && readTokenAccount(state)?.raw) ?? 0n;
    if (raw > 0n)
      throw new NotProvable(`${raw} raw units of tax lie with ${authority}, until a round takes them to the pot`);
  }
}
