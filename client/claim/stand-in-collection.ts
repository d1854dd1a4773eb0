import { readUint } from '../solana/bytes.ts';
import type { Instruction } from '../solana/message.ts';
import { TOKEN_PROGRAM } from '../solana/programs.ts';
import { mustHold } from '../solana/refusal.ts';
import type { CollectionCheck, CollectionGround } from './claim-ground.ts';

/** Instructions of the token programs: first byte, and bytes that each has. */
const TRANSFER_CHECKED = { tag: 12, bytes: 10 };
const SET_AUTHORITY = { tag: 6 };

/**
 * The local stand-in has no program: the wallet proves by a transfer to itself that it holds the Fee Key, the pool's own key pays, and
 * the pool's account is handed on. Nothing of that moves anything of the wallet.
 */
export const checkStandInCollection: CollectionCheck = (collecting, ground) => {
  const transfers = collecting.filter(({ data }) => data[0] === TRANSFER_CHECKED.tag);
  const moves = collecting.filter(({ data }) => data[0] === SET_AUTHORITY.tag);
  mustHold(transfers.length + moves.length === collecting.length, 'it asks a token program for more than transfers');
  const [proofs, payments] = [transfers.filter(isBy(ground.wallet)), transfers.filter(isBy(ground.fees.pool))];
  mustHold(proofs.length + payments.length === transfers.length, 'a stranger’s tokens are moved in it');
  for (const proof of proofs) checkProof(proof, ground);
  checkPayments(payments, ground);
  return [ground.fees.pool, ...moves.map((move) => stateKeyOf(move, ground))];
};

const isBy = (authority: string) => (transfer: Instruction) => readTransfer(transfer).authority === authority;

function readTransfer({ data, accounts }: Instruction) {
  mustHold(data.length === TRANSFER_CHECKED.bytes && accounts.length === 4, 'a transfer of it cannot be read');
  const [from, mint, to, authority] = accounts.map(({ address }) => address);
  return { amount: readUint(data, 1, 8), from, mint, to, authority };
}

function checkProof(proof: Instruction, { fees }: CollectionGround): void {
  const { from, to, mint } = readTransfer(proof);
  const isOfFeeKey = mint === fees.feeKey?.mint && proof.program === TOKEN_PROGRAM;
  mustHold(isOfFeeKey && from === to, `it moves the wallet’s tokens of ${mint} to ${to}`);
}

/** What the pool pays goes to the wallet, and is what was announced. */
function checkPayments(payments: readonly Instruction[], { quote, accounts }: CollectionGround): void {
  const read = payments.map(readTransfer);
  for (const [amount, account] of [
    [quote.amounts.base, accounts.base],
    [quote.amounts.quote, accounts.quote],
  ] as const) {
    const paid = read.filter(({ mint }) => mint === amount.mint);
    const stranger = paid.find(({ to }) => to !== account);
    mustHold(stranger === undefined, `it pays into ${stranger?.to}, which is not the wallet’s`);
    const sum = paid.reduce((total, each) => total + each.amount, 0n);
    mustHold(
      sum === BigInt(amount.amountRaw),
      `it pays ${sum} of ${amount.symbol}, announced were ${amount.amountRaw}`,
    );
  }
  mustHold(
    read.every(({ mint }) => isAnnounced(mint, quote)),
    'the pool pays a token that was not announced',
  );
}

function isAnnounced(mint: string | undefined, { amounts }: CollectionGround['quote']): boolean {
  return mint === amounts.base.mint || mint === amounts.quote.mint;
}

/** The key that hands the pool's account on; it must not be the wallet, nor anybody's account but the pool's. */
function stateKeyOf({ accounts }: Instruction, { fees, wallet }: CollectionGround): string {
  const [account, authority] = accounts.map(({ address }) => address);
  mustHold(account === fees.pool, `it gives away the account ${account}`);
  mustHold(authority !== undefined && authority !== wallet, 'it gives away an account of the wallet’s');
  return authority;
}
