import { expect, test } from 'vitest';
import {
  AccountsFilter,
  AccountsFilterCondition,
  DataSlice,
  Memcmp,
  PingId,
  SlotsFilter,
  SubscribeRequest,
  SubscribeUpdate,
  TransactionsFilter,
} from '../../../chain/stream/yellowstone/messages.ts';

/** Made with the codec of `@triton-one/yellowstone-grpc` 7.0.1, the client of the protocol's makers. */
const MADE = {
  request:
    '0a240a05706f6f6c73121b12024131120242321a014f220310a50122090a0708201a0378797a12090a03616c6c120208001a190a' +
    '067661756c7473120f080010001a0256311a02563232015252090a017412041a0256332a050a0162120030013a040840100858ce' +
    '88f89401',
  ping: '4a0308ac02',
  transaction:
    '0a067661756c7473228c040a83040a40010101010101010101010101010101010101010101010101010101010101010101010101' +
    '010101010101010101010101010101010101010101010101010101011aeb010a4001010101010101010101010101010101010101' +
    '01010101010101010101010101010101010101010101010101010101010101010101010101010101010101010112a6010a040801' +
    '18011220020202020202020202020202020202020202020202020202020202020202020212200303030303030303030303030303' +
    '0303030303030303030303030303030303031a200404040404040404040404040404040404040404040404040404040404040404' +
    '220b0801120200001a03090909280132290a20050505050505050505050505050505050505050505050505050505050505050512' +
    '01071a02080822ce011088271a0bffffffffffffffffff01012203ac02002a0f120d08011201011a04060606062002321250726f' +
    '6772616d206c6f673a20c3bc6ec3af3a26080212014d1a1909000000000000f83f10061a07313530303030302203312e35220157' +
    '2a0154622005050505050505050505050505050505050505050505050505050505050505056a2006060606060606060606060606' +
    '060606060606060606060606060606060606066a2007070707070707070707070707070707070707070707070707070707070707' +
    '0778018001b503280310cf88f894015a06088fda8fd806',
  account:
    '0a05706f6f6c7312a3010a9e010a20010101010101010101010101010101010101010101010101010101010101010110e09a591a' +
    '20020202020202020202020202020202020202020202020202020202020202020228ffffffffffffffffff013205030303030338' +
    '4d424004040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404' +
    '0404040404040404040404040404041005',
  slot: '0a03616c6c1a0c0809100818062204676f6e65',
  blockMeta: '0a01623a2c08091201481a100a0e0a017810fcffffffffffffffff012206088fda8fd8062a02080630073a0150400c4803',
};

const made = (name: keyof typeof MADE) => SubscribeUpdate.decode(Buffer.from(MADE[name], 'hex'));
const filled = (byte: number, length: number) => Buffer.alloc(length, byte);

test('a request has the bytes of the makers’ client', () => {
  const request = SubscribeRequest.of({
    accounts: new Map([
      [
        'pools',
        AccountsFilter.of({
          account: ['A1', 'B2'],
          owner: ['O'],
          filters: [
            AccountsFilterCondition.of({ datasize: 165 }),
            AccountsFilterCondition.of({ memcmp: Memcmp.of({ offset: 32, base58: 'xyz' }) }),
          ],
        }),
      ],
    ]),
    slots: new Map([['all', SlotsFilter.of({ filterByCommitment: false })]]),
    transactions: new Map([
      [
        'vaults',
        TransactionsFilter.of({ vote: false, failed: false, accountInclude: ['V1', 'V2'], accountRequired: ['R'] }),
      ],
    ]),
    transactionsStatus: new Map([['t', TransactionsFilter.of({ accountInclude: ['V3'] })]]),
    blocksMeta: new Map([['b', {}]]),
    commitment: 1,
    accountsDataSlice: [DataSlice.of({ offset: 64, length: 8 })],
    fromSlot: 312_345_678,
  });
  expect(SubscribeRequest.decode(Buffer.from(MADE.request, 'hex'))).toEqual(request);
  expect(SubscribeRequest.decode(SubscribeRequest.encode(request))).toEqual(request);
  expect(SubscribeRequest.encode(request)).toHaveLength(MADE.request.length / 2);
  const ping = SubscribeRequest.of({ ping: PingId.of({ id: 300 }) });
  expect(SubscribeRequest.encode(ping).toString('hex')).toBe(MADE.ping);
});

test('a transaction is read as they write it', () => {
  const { filters, transaction } = made('transaction');
  expect(filters).toEqual(['vaults']);
  expect(transaction).toMatchObject({
    slot: 312_345_679,
    transaction: {
      signature: filled(1, 64),
      index: 3,
      transaction: {
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
          accountKeys: [filled(2, 32), filled(3, 32)],
          instructions: [{ programIdIndex: 1, accounts: filled(0, 2), data: filled(9, 3) }],
          versioned: true,
          addressTableLookups: [{ writableIndexes: filled(7, 1), readonlyIndexes: filled(8, 2) }],
        },
      },
      meta: {
        err: null,
        fee: 5_000n,
        preBalances: [18_446_744_073_709_551_615n, 1n],
        postBalances: [300n, 0n],
        innerInstructions: [{ index: 0, instructions: [{ programIdIndex: 1, data: filled(6, 4), stackHeight: 2 }] }],
        logMessages: ['Program log: ünï'],
        preTokenBalances: [{ accountIndex: 2, mint: 'M', uiTokenAmount: { uiAmount: 1.5, amount: '1500000' } }],
        postTokenBalances: [],
        loadedReadonlyAddresses: [filled(6, 32), filled(7, 32)],
        computeUnitsConsumed: 437n,
      },
    },
  });
});

test('an account, a slot and a block are read as they write them', () => {
  expect(made('account').account).toMatchObject({
    slot: 5,
    account: { lamports: 1_461_600n, data: filled(3, 5), writeVersion: 77n, txnSignature: filled(4, 64) },
  });
  expect(made('slot').slot).toEqual({ slot: 9, parent: 8, status: 6, deadError: 'gone' });
  expect(made('blockMeta').blockMeta).toMatchObject({
    slot: 9,
    parentSlot: 7,
    blockTime: { timestamp: 1_795_419_407n },
    executedTransactionCount: 12,
  });
});

test('bytes that end too soon are refused', () => {
  expect(() => SubscribeUpdate.decode(Buffer.from(MADE.transaction, 'hex').subarray(0, 40))).toThrow(RangeError);
});
