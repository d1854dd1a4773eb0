import type { Collection, CollectionCheck, CollectionContext } from '../../client/claim/claim-context.ts';
import { readUint } from '../../client/solana/bytes.ts';
import type { Instruction } from '../../client/solana/message.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../client/solana/programs.ts';
import { mustHold } from '../../client/solana/refusal.ts';

const TRANSFER_CHECKED = { tag: 12, bytes: 10 };
const SET_AUTHORITY = { tag: 6 };

/**
 * No program: the wallet proves the Fee Key by a transfer to itself, the pool's key pays, and the pool's account gets a
 * new authority. Nothing of the wallet moves.
 */
const checkStandInCollection: CollectionCheck = (collecting, ground) => {
  const transfers = collecting.filter(({ data }) => data[0] === TRANSFER_CHECKED.tag);
  const moves = collecting.filter(({ data }) => data[0] === SET_AUTHORITY.tag);
  mustHold(transfers.length + moves.length === collecting.length, 'it asks a token program for more than transfers');
  const [proofs, payments] = [transfers.filter(isBy(ground.wallet)), transfers.filter(isBy(ground.fees.pool))];
  mustHold(proofs.length + payments.length === transfers.length, 'a stranger’s tokens are moved in it');
  for (const proof of proofs) checkProof(proof, ground);
  checkPayments(payments, ground);
  return [ground.fees.pool, ...moves.map((move) => stateKeyOf(move, ground))];
};

/** Its pools sign for themselves: a public platform's client must not accept it. */
export const STAND_IN_COLLECTION: Collection = {
  programs: [TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  check: checkStandInCollection,
};

const isBy = (authority: string) => (transfer: Instruction) => readTransfer(transfer).authority === authority;

function readTransfer({ data, accounts }: Instruction) {
  mustHold(data.length === TRANSFER_CHECKED.bytes && accounts.length === 4, 'a transfer of it cannot be read');
  const [from, mint, to, authority] = accounts.map(({ address }) => address);
  return { amount: readUint(data, 1, 8), from, mint, to, authority };
}

function checkProof(proof: Instruction, { fees }: CollectionContext): void {
  const { from, to, mint } = readTransfer(proof);
  const isOfFeeKey = mint === fees.feeKey?.mint && proof.program === TOKEN_PROGRAM;
  mustHold(isOfFeeKey && from === to, `it moves the wallet’s tokens of ${mint} to ${to}`);
}

function checkPayments(payments: readonly Instruction[], { quote, accounts }: CollectionContext): void {
  const read = payments.map(readTransfer);
  for (const [amount, own] of [
    [quote.amounts.base, accounts.base],
    [quote.amounts.quote, accounts.quote],
  ] as const) {
    const paid = read.filter(({ mint }) => mint === amount.mint);
    const stranger = paid.find(({ to }) => to === undefined || !own.includes(to));
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

function isAnnounced(mint: string | undefined, { amounts }: CollectionContext['quote']): boolean {
  return mint === amounts.base.mint || mint === amounts.quote.mint;
}

function stateKeyOf({ accounts }: Instruction, { fees, wallet }: CollectionContext): string {
  const [account, authority] = accounts.map(({ address }) => address);
  mustHold(account === fees.pool, `it gives away the account ${account}`);
  mustHold(authority !== undefined && authority !== wallet, 'it gives away an account of the wallet’s');
  return authority;
}
