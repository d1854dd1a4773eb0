import {
  ACCOUNT_SIZE,
  AccountType,
  ExtensionType,
  INTEREST_BEARING_MINT_CONFIG_STATE_SIZE,
  MINT_SIZE,
  MintLayout,
  SCALED_UI_AMOUNT_CONFIG_SIZE,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { type AccountInfo, Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { rememberedUnits } from '../../../chain/prices/remembered-units.ts';
import { createAgreedTokenReader } from '../../../chain/tokens/agreed-tokens.ts';
import { checkQuoteMint } from '../../../chain/tokens/quote-mint.ts';

const mint = Keypair.generate().publicKey;

/** The account of a Token-2022 mint with one extension. */
function mintWith(type: ExtensionType, size: number, write: (body: Buffer) => void): AccountInfo<Buffer> {
  const data = Buffer.alloc(ACCOUNT_SIZE + 1 + 4 + size);
  const none = { mintAuthorityOption: 0 as const, mintAuthority: PublicKey.default };
  const frozen = { freezeAuthorityOption: 0 as const, freezeAuthority: PublicKey.default };
  MintLayout.encode({ ...none, ...frozen, supply: 1n, decimals: 6, isInitialized: true }, data.subarray(0, MINT_SIZE));
  data.writeUInt8(AccountType.Mint, ACCOUNT_SIZE);
  data.writeUInt16LE(type, ACCOUNT_SIZE + 1);
  data.writeUInt16LE(size, ACCOUNT_SIZE + 3);
  write(data.subarray(ACCOUNT_SIZE + 5));
  return { data, lamports: 1, owner: TOKEN_2022_PROGRAM_ID, executable: false };
}

const scaled = (multiplier: number, later: number) =>
  mintWith(ExtensionType.ScaledUiAmountConfig, SCALED_UI_AMOUNT_CONFIG_SIZE, (body) => {
    body.writeDoubleLE(multiplier, 32);
    body.writeBigInt64LE(1n, 40);
    body.writeDoubleLE(later, 48);
  });
const bearing = (earlierBps: number, bps: number) =>
  mintWith(ExtensionType.InterestBearingConfig, INTEREST_BEARING_MINT_CONFIG_STATE_SIZE, (body) => {
    body.writeInt16LE(earlierBps, 40);
    body.writeInt16LE(bps, 50);
  });

/** The token as a quorum has it that has this account. */
async function agreed(account: AccountInfo<Buffer>) {
  const reading = <T>(_address: string, readingOf: (seen: AccountInfo<Buffer> | null) => T) => readingOf(account);
  const reader = createAgreedTokenReader({
    accountsByEndpoint: () => Promise.resolve({ agreed: reading, agreedReason: reading }),
    agreedEpoch: () => Promise.resolve(0n),
  });
  return (await reader.read([mint]))[0];
}

describe('a mint whose shown amounts are not its raw ones', () => {
  it.each<[string, AccountInfo<Buffer>, RegExp]>([
    ['by a multiplier', scaled(10, 10), /raw ones times 10, and times 10 after a change/],
    ['by a multiplier to come', scaled(1, 2), /raw ones times 1, and times 2 after a change/],
    ['by a multiplier just above one', scaled(1.000_000_1, 1), /times 1.0000001/],
    ['by one that is no number', scaled(Number.NaN, Number.NaN), /times NaN/],
    ['by interest', bearing(0, 5), /bear interest: 5 bps/],
    ['by interest that it bore', bearing(-300, 0), /bear interest: 0 bps, and -300 bps until/],
  ])('%s is no quote token, and nothing of it is valued', async (_how, account, problem) => {
    expect(() => checkQuoteMint(mint, account)).toThrow(problem);
    expect((await agreed(account))?.unitProblem).toMatch(problem);
  });

  it.each([
    ['a multiplier of exactly one', scaled(1, 1)],
    ['a rate of zero', bearing(0, 0)],
  ])('is not one with %s', async (_what, account) => {
    expect(checkQuoteMint(mint, account)).toMatchObject({ decimals: 6 });
    expect((await agreed(account))?.unitProblem).toBeUndefined();
  });
});

it('what a mint says is read once in five seconds for all prices of it, and anew after a failure', async () => {
  const state = { at: 0, asked: 0, fails: false };
  const read = async () => {
    state.asked++;
    if (state.fails) throw new Error('no quorum');
    return [{ mint, decimals: 6, tokenProgram: TOKEN_2022_PROGRAM_ID, unitProblem: 'scaled' }];
  };
  const problemOf = rememberedUnits(read, () => new Date(state.at));
  const address = mint.toBase58();
  expect(await Promise.all([problemOf(address), problemOf(address)])).toEqual(['scaled', 'scaled']);
  expect(state.asked).toBe(1);
  Object.assign(state, { at: 5_000, fails: true });
  await expect(problemOf(address)).rejects.toThrow('no quorum');
  state.fails = false;
  expect(await problemOf(address)).toBe('scaled');
  expect(state.asked).toBe(3);
});
