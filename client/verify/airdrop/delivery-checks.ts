import { associatedAccount } from '../../solana/associated-account.ts';
import { readUint } from '../../solana/bytes.ts';
import { isTokenProgram } from '../../solana/programs.ts';
import type { Instruction } from '../../solana/message.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { gainOf, type Landed } from '../landed.ts';
import { type FeeRate, feeOf } from '../mint-account.ts';
import type { Seal } from '../seal.ts';
import type { AirdropDocument, Recipient } from './airdrop-document.ts';
import type { WalletHistory } from './wallet-history.ts';

/** Token instructions that take tokens out of an account, or give power over it (spl-token, instruction.rs). */
const NAMES: Readonly<Record<number, string>> = {
  3: 'Transfer',
  4: 'Approve',
  6: 'SetAuthority',
  8: 'Burn',
  12: 'TransferChecked',
  13: 'ApproveChecked',
  15: 'BurnChecked',
};
const [TRANSFER_CHECKED, TRANSFER_BYTES, BURNS] = [12, 10, ['Burn', 'BurnChecked']];

export function checkNothingBefore({ mint, launchWallet }: AirdropDocument, { before }: WalletHistory, seal: Seal) {
  for (const landed of before) {
    if (movesOf(landed, launchWallet, mint).length === 0 && gainOf(landed, launchWallet, mint) >= 0n) continue;
    const expected = { value: `the seal ${seal.signature} first`, from: `slot ${seal.slot}` };
    throw new Difference('tokens were delivered before the seal', expected, {
      value: landed.signature,
      from: `slot ${landed.slot}`,
    });
  }
  return { how: 'no token was delivered before the seal', value: null };
}

export function checkDeliveries(
  document: AirdropDocument,
  { after }: WalletHistory,
  tax: FeeRate | null,
): Outcome<null> {
  const due = new Map(document.recipients.map((recipient) => [recipient.wallet, recipient]));
  const [delivered, batches] = [new Set<string>(), new Map<number, string>()];
  const burned = [];
  for (const landed of after) {
    const moves = movesOf(landed, document.launchWallet, document.mint);
    burned.push(...moves.filter(({ name }) => BURNS.includes(name)).map(() => landed.signature));
    let sent = 0n;
    for (const move of moves.filter(({ name }) => !BURNS.includes(name))) {
      const recipient = recipientOf(document, due, landed, move);
      mustBeFirst(delivered, recipient, landed);
      mustArrive(document, recipient, landed, tax);
      mustBeInOne(batches, recipient, landed);
      sent += recipient.amountRaw;
    }
    mustLeaveNothingElse(document, landed, sent, moves);
  }
  const missing = document.recipients.filter(({ wallet }) => !delivered.has(wallet));
  if (missing.length > 0) throw notDelivered(missing, due.size, burned[0]);
  return {
    how: `${delivered.size} of ${due.size} wallets in ${batches.size} transactions; nothing else left`,
    value: null,
  };
}

interface Move {
  readonly name: string;
  readonly to: string;
  readonly program: string;
  readonly amountRaw: bigint;
}

function movesOf({ instructions, loaded }: Landed, wallet: string, mint: string): Move[] {
  return instructions.flatMap((instruction) => {
    const { program, accounts, data } = instruction;
    const name = NAMES[data[0] ?? -1];
    const isByWallet = accounts.some(({ address, isSigner }) => isSigner && address === wallet);
    if (!isTokenProgram(program) || name === undefined || !isByWallet || !isOfMint(instruction, wallet, mint))
      return [];
    const [, , to = 'nobody'] = accounts.map(({ address }) => address);
    const isReadable = data[0] === TRANSFER_CHECKED && data.length === TRANSFER_BYTES && !loaded.includes(to);
    return [
      { name: isReadable || BURNS.includes(name) ? name : `${name}?`, to, program, amountRaw: readUint(data, 1, 8) },
    ];
  });
}

/** The wallet's account of the coin is its first account; a transfer names it as source. */
function isOfMint({ program, accounts }: Instruction, wallet: string, mint: string): boolean {
  return accounts[0]?.address === associatedAccount({ wallet, mint, program });
}

function recipientOf(
  { mint }: AirdropDocument,
  due: ReadonlyMap<string, Recipient>,
  landed: Landed,
  { name, to, program, amountRaw }: Move,
): Recipient {
  const owner = landed.tokens.find(({ account }) => account === to)?.owner ?? 'unknown';
  const recipient = due.get(owner);
  const isOwn =
    recipient !== undefined &&
    name === NAMES[TRANSFER_CHECKED] &&
    associatedAccount({ wallet: owner, mint, program }) === to;
  const expected = isOwn
    ? { value: String(recipient.amountRaw), from: `the sealed row of ${owner}` }
    : { value: 'nothing', from: 'the sealed rows' };
  const found = { value: String(amountRaw), from: `${name} to ${to} of ${owner} in ${landed.signature}` };
  mustEqual('the airdrop goes where no row says', expected, found);
  if (!isOwn) throw new Difference('the airdrop goes where no row says', expected, found);
  return recipient;
}

function mustBeFirst(delivered: Set<string>, { wallet }: Recipient, { signature }: Landed): void {
  if (delivered.has(wallet))
    throw new Difference(
      'a wallet got its tokens twice',
      { value: 'one transfer', from: `the row of ${wallet}` },
      { value: 'another one', from: signature },
    );
  delivered.add(wallet);
}

/** The recipient got all but the tax of the mint. */
function mustArrive({ mint }: AirdropDocument, { wallet, amountRaw }: Recipient, landed: Landed, tax: FeeRate | null) {
  const taxRaw = tax === null ? 0n : feeOf(amountRaw, tax);
  const expected = { value: String(amountRaw - taxRaw), from: `the row of ${wallet}, less ${taxRaw} of tax` };
  const found = { value: String(gainOf(landed, wallet, mint)), from: `its balance in ${landed.signature}` };
  mustEqual('a wallet received another amount', expected, found);
}

function mustBeInOne(batches: Map<number, string>, { batch, wallet }: Recipient, { signature }: Landed): void {
  const expected = batches.get(batch) ?? signature;
  batches.set(batch, expected);
  const found = { value: signature, from: `the transfer to ${wallet}` };
  mustEqual(`batch ${batch} was sent twice`, { value: expected, from: 'the first of its transfers' }, found);
}

function mustLeaveNothingElse(
  { mint, launchWallet }: AirdropDocument,
  landed: Landed,
  sent: bigint,
  moves: readonly Move[],
) {
  // The emptying burns the rest: the missing rows show whether it was too much.
  if (moves.some(({ name }) => BURNS.includes(name))) return;
  const left = -gainOf(landed, launchWallet, mint);
  const expected = { value: String(sent), from: 'transfers in its signed bytes' };
  if (left > 0n || sent > 0n)
    mustEqual('more left the launch wallet than was delivered', expected, {
      value: String(left),
      from: `balances in ${landed.signature}`,
    });
}

function notDelivered(missing: readonly Recipient[], due: number, burned: string | undefined): Error {
  const [first] = missing;
  const how = `${missing.length} of ${due} wallets have nothing (batch ${first?.batch}: ${first?.wallet})`;
  if (burned === undefined) return new NotProvable(`${how}; the delivery may not be over`);
  const expected = { value: String(first?.amountRaw), from: `the sealed row of ${first?.wallet}` };
  return new Difference(`the airdrop is closed, and ${how}`, expected, { value: 'burned', from: burned });
}
