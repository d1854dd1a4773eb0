import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { MEMO_PROGRAM_ID, memoInstruction } from '../../../chain/transactions/memo.ts';
import { coSigner, holder } from './issued-messages.ts';
import { behind, between, type Change, guard, limitedTo } from './wallets.ts';

/** One change of what was issued, and whether it is taken. */
export interface ChangeCase {
  readonly what: string;
  readonly change: Change;
  /** `true`, or what the service and the client each say of it. */
  readonly taken: true | { readonly service: RegExp; readonly client: RegExp };
  /** Default: both. */
  readonly of?: 'payment' | 'claim';
}

const FIRST_MEMO = new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
const stranger = Keypair.generate().publicKey;
const TIPPED = Keypair.generate().publicKey;
const inFront =
  (added: TransactionInstruction): Change =>
  (instructions) => [added, ...instructions];
const price =
  (microLamports: bigint): Change =>
  (instructions) =>
    instructions.map((one) =>
      one.programId.equals(ComputeBudgetProgram.programId) && one.data[0] === 3
        ? ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
        : one,
    );
const withKeys = (instruction: TransactionInstruction, pubkey: PublicKey, isWritable: boolean, isSigner = false) => {
  instruction.keys = [...instruction.keys, { pubkey, isSigner, isWritable }];
  return instruction;
};
const copyOf = (instruction: TransactionInstruction) => new TransactionInstruction(instruction);
const transfer = SystemProgram.transfer({ fromPubkey: holder.publicKey, toPubkey: stranger, lamports: 1 });
const added = (program: string) => ({
  service: new RegExp(`added instruction of program ${program}`),
  client: new RegExp(`added an instruction of ${program}`),
});
const changedAt = { service: /another instruction \d+ than issued/, client: /changed an instruction/ };
const writes = { service: /program L2TE\w+ that writes/, client: /L2TE\w+ that writes/ };
const lends = { service: /program L2TE\w+ that names \w+, which signs too/, client: /L2TE\w+ that names / };
const madeWritable = { service: /makes \w+ writable/, client: /made \w+ writable/ };
const nonceFirst = { service: /in front of the advance of the nonce/, client: /in front of the advance of the nonce/ };
const tooMuch = { service: /pays \d+ lamports of network fee/, client: /raised the network fee to \d+ lamports/ };

/** What wallets may do. */
const TAKEN: readonly Omit<ChangeCase, 'taken'>[] = [
  { what: 'nothing', change: (instructions) => [...instructions] },
  { what: 'a guard behind', change: behind((wallet) => guard([wallet])) },
  { what: 'a guard in front', change: inFront(guard([holder.publicKey])), of: 'payment' },
  {
    what: 'guards between',
    change: between(
      (wallet) => guard([wallet]),
      (wallet) => guard([wallet], 52),
    ),
  },
  { what: 'a guard about a stranger’s account', change: behind(() => guard([stranger])) },
  { what: 'a guard without accounts', change: behind(() => guard([], 9)) },
  { what: 'a compute price that is higher', change: price(100_001n) },
  { what: 'the highest compute limit', change: limitedTo(1_400_000) },
  { what: 'a memo behind', change: behind(() => memoInstruction('Sent by a wallet ✓')) },
  { what: 'a memo between', change: between(() => memoInstruction('x')) },
  { what: 'a memo that names the holder', change: behind((wallet) => memoInstruction('x', [wallet])) },
  {
    what: 'a memo that names the holder as writable',
    change: behind((wallet) => withKeys(memoInstruction('x'), wallet, true, true)),
  },
  {
    what: 'two memos of its own',
    change: behind(
      () => memoInstruction('x'),
      () => memoInstruction('y'),
    ),
  },
  { what: 'an empty memo', change: behind(() => memoInstruction('')) },
  { what: 'a memo of 128 bytes', change: behind(() => memoInstruction('é'.repeat(64))) },
  {
    what: 'a memo that quotes how nodes show one of the platform’s',
    change: behind(() => memoInstruction('x; [45] launch/0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e/2')),
  },
  { what: 'a guard of the last kind there is', change: behind((wallet) => guard([wallet], 17, 255)) },
  { what: 'the same guard twice', change: behind(...[1, 2].map(() => (wallet: PublicKey) => guard([wallet]))) },
  {
    what: 'a guard between each two instructions',
    change: (instructions, wallet) => instructions.flatMap((one) => [one, guard([wallet], 5)]),
  },
  {
    what: 'price and limit raised, a memo and a guard, all at once',
    change: (instructions, wallet) => [
      ...limitedTo(400_000)(price(200_000n)(instructions, wallet), wallet),
      memoInstruction('x'),
      guard([wallet]),
    ],
  },
  {
    what: 'a memo and guards in one group',
    change: behind(
      (wallet) => guard([wallet]),
      () => memoInstruction('x'),
      (wallet) => guard([wallet], 27),
    ),
  },
];

/** What nobody may do. */
const REFUSED: readonly ChangeCase[] = [
  { what: 'a guard in front of the nonce', change: inFront(guard([holder.publicKey])), of: 'claim', taken: nonceFirst },
  { what: 'a memo in front of the nonce', change: inFront(memoInstruction('x')), of: 'claim', taken: nonceFirst },
  { what: 'Lighthouse writing its memory', change: behind((wallet) => guard([wallet], 9, 0)), taken: writes },
  { what: 'Lighthouse closing its memory', change: behind((wallet) => guard([wallet], 9, 1)), taken: writes },
  { what: 'Lighthouse without data', change: behind(() => guard([], 0)), taken: writes },
  { what: 'a guard that names who signs too', change: behind(() => guard([coSigner.publicKey])), taken: lends },
  {
    what: 'a guard that makes an account writable',
    change: behind(() => withKeys(guard([]), stranger, true)),
    taken: madeWritable,
  },
  {
    what: 'a guard that asks for another signature',
    change: behind(() => withKeys(guard([]), stranger, false, true)),
    taken: { service: /other signers/, client: /the signers/ },
  },
  { what: 'a transfer behind', change: behind(() => transfer), taken: added('1{32}') },
  { what: 'a transfer in front', change: inFront(transfer), taken: added('1{32}') },
  {
    what: 'a transfer behind a guard',
    change: behind(
      () => guard([]),
      () => transfer,
    ),
    taken: added('1{32}'),
  },
  {
    what: 'a tip to a block builder',
    change: behind(() => SystemProgram.transfer({ fromPubkey: holder.publicKey, toPubkey: TIPPED, lamports: 1_000 })),
    taken: added('1{32}'),
  },
  {
    what: 'a transfer of nothing to itself',
    change: behind((wallet) => SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 0 })),
    taken: added('1{32}'),
  },
  {
    what: 'the first issued instruction twice',
    change: (instructions) => [copyOf(instructions[0]!), ...instructions],
    taken: { service: /added instruction of program/, client: /added an instruction of/ },
  },
  {
    what: 'the last memo twice',
    change: (instructions) => [...instructions, copyOf(instructions.at(-1)!)],
    taken: added('Memo\\w+'),
  },
  {
    what: 'a compute limit and price of the first kind (RequestUnits)',
    change: behind(() => {
      const data = Buffer.of(0, 64, 13, 3, 0, 0, 0, 0, 0);
      return new TransactionInstruction({ programId: ComputeBudgetProgram.programId, keys: [], data });
    }),
    taken: added('ComputeBudget1+'),
  },
  {
    what: 'a compute price with an account',
    change: (instructions) =>
      price(150_000n)(instructions, holder.publicKey).map((one) =>
        one.programId.equals(ComputeBudgetProgram.programId) && one.data[0] === 3
          ? withKeys(one, stranger, false)
          : one,
      ),
    taken: changedAt,
  },
  {
    what: 'all instructions left out but a guard',
    change: () => [guard([holder.publicKey, coSigner.publicKey])],
    taken: { service: /has other signers|names \w+, which signs too/, client: /the signers|that names/ },
  },
  {
    what: 'an unknown program',
    change: behind(() => new TransactionInstruction({ programId: stranger, keys: [], data: Buffer.of(1) })),
    taken: added(stranger.toBase58()),
  },
  ...['launch/0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e/2', 'refund/x', 'claim/x/kill', 'fee-sweep/x', 'pool/2:x'].map(
    (text) => ({
      what: `a memo that reads as the platform’s: ${text}`,
      change: behind(() => memoInstruction(text)),
      taken: added('Memo\\w+'),
    }),
  ),
  {
    what: 'a memo in front that reads as the platform’s',
    change: inFront(memoInstruction('launch/x/1')),
    taken: added('Memo\\w+'),
  },
  { what: 'a memo of 129 bytes', change: behind(() => memoInstruction('x'.repeat(129))), taken: added('Memo\\w+') },
  {
    what: 'a memo that is no text',
    change: behind(() => new TransactionInstruction({ programId: MEMO_PROGRAM_ID, keys: [], data: Buffer.of(0xff) })),
    taken: added('Memo\\w+'),
  },
  {
    what: 'a memo that asks for a signature',
    change: behind(() => memoInstruction('x', [coSigner.publicKey])),
    taken: added('Memo\\w+'),
  },
  {
    what: 'a memo that names the holder and who signs too',
    change: behind((wallet) => memoInstruction('x', [wallet, coSigner.publicKey])),
    taken: added('Memo\\w+'),
  },
  {
    what: 'a memo of the first memo program',
    change: behind(() => new TransactionInstruction({ programId: FIRST_MEMO, keys: [], data: Buffer.from('x') })),
    taken: added('Memo1\\w+'),
  },
  {
    what: 'a limit and a price in front, beside the issued ones',
    change: (instructions) => [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 150_000 }),
      ...instructions,
    ],
    taken: added('ComputeBudget1+'),
  },
  {
    what: 'a bound on loaded account data',
    change: behind(() => {
      const data = Buffer.of(4, 0, 0, 16, 0);
      return new TransactionInstruction({ programId: ComputeBudgetProgram.programId, keys: [], data });
    }),
    taken: added('ComputeBudget1+'),
  },
  {
    what: 'a nonce of the wallet’s own in front',
    change: inFront(SystemProgram.nonceAdvance({ noncePubkey: stranger, authorizedPubkey: holder.publicKey })),
    taken: added('1{32}'),
  },
  {
    what: 'an account against front-running in an issued instruction',
    change: (instructions) => [...instructions.slice(0, -1), withKeys(copyOf(instructions.at(-1)!), stranger, false)],
    taken: changedAt,
  },
  { what: 'a lower compute price', change: price(99_999n), taken: changedAt },
  { what: 'a lower compute limit', change: limitedTo(59_999), taken: changedAt },
  { what: 'a compute price beyond the bound', change: price(4_000_000n), taken: tooMuch },
  { what: 'the greatest compute price', change: price(2n ** 64n - 1n), taken: tooMuch },
  {
    what: 'a second compute price',
    change: behind(() => ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 200_000 })),
    taken: added('ComputeBudget1+'),
  },
  {
    what: 'a heap request',
    change: behind(() => ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 })),
    taken: added('ComputeBudget1+'),
  },
  {
    what: 'compute price and limit in another order',
    change: (instructions) => {
      const at = instructions.findIndex((one) => one.programId.equals(ComputeBudgetProgram.programId));
      return instructions.toSpliced(at, 2, instructions[at + 1]!, instructions[at]!);
    },
    taken: changedAt,
  },
  {
    what: 'the last two in another order',
    change: (instructions) => [...instructions.slice(0, -2), instructions.at(-1)!, instructions.at(-2)!],
    taken: changedAt,
  },
  {
    what: 'an instruction left out',
    change: (instructions) => instructions.toSpliced(-2, 1),
    taken: { service: /instructions, issued were \d/, client: /left out or changed/ },
  },
  {
    what: 'an instruction replaced by a guard',
    change: (instructions) => instructions.toSpliced(-2, 1, guard([])),
    taken: { service: /instructions, issued were \d/, client: /left out or changed/ },
  },
];

/** Every change that the rule of what wallets may do is tested with, in the service and in the client. */
export const CHANGE_CASES: readonly ChangeCase[] = [
  ...TAKEN.map((one) => ({ ...one, taken: true as const })),
  ...REFUSED,
];
