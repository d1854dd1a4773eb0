import { describe, expect, test } from 'vitest';
import {
  createCustomizablePoolInstruction,
  createPoolInstruction,
} from '../../../../chain/exchange/raydium/instructions/create-pool.ts';
import { openPositionInstruction } from '../../../../chain/exchange/raydium/instructions/open-position.ts';
import { swapInstruction } from '../../../../chain/exchange/raydium/instructions/swap.ts';
import {
  ASSOCIATED,
  associated,
  CLMM,
  goldenOf,
  key,
  MEMO,
  pda,
  POOL,
  RENT,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
} from '../../../support/exchange/raydium/golden.ts';

const at = (byte: number) => key(byte).toBase58();
const observation = pda(CLMM, 'observation', POOL.address);

const CREATE_ACCOUNTS = [
  `sw ${at(7)}`,
  `-- ${at(2)}`,
  `-w ${at(1)}`,
  `-- ${at(3)}`,
  `-- ${at(4)}`,
  `-w ${at(5)}`,
  `-w ${at(6)}`,
  `-w ${observation}`,
  `-w ${pda(CLMM, 'pool_tick_array_bitmap_extension', POOL.address)}`,
  `-- ${TOKEN}`,
  `-- ${TOKEN_2022}`,
  `-- ${SYSTEM}`,
  `-- ${RENT}`,
];

describe('pool instructions are, byte for byte, what the published interface says', () => {
  const create = { creator: key(7), pool: POOL, sqrtPriceX64: 0x0102030405060708090an };

  test.each([
    { what: 'plain', supportMints: [], more: [] },
    { what: 'with two support-mint accounts', supportMints: [key(9), key(10)], more: [`-- ${at(9)}`, `-- ${at(10)}`] },
  ])('create_pool, $what', ({ supportMints, more }) => {
    expect(goldenOf(createPoolInstruction({ ...create, supportMints }))).toEqual({
      program: CLMM.toBase58(),
      data: 'e992d18ecf6840bc' + '0a090807060504030201000000000000' + '0000000000000000',
      accounts: [...CREATE_ACCOUNTS, ...more],
    });
  });

  test.each([
    { feeOn: 'input', byte: '00' },
    { feeOn: 'token0', byte: '01' },
    { feeOn: 'token1', byte: '02' },
  ] as const)('create_customizable_pool with fees on $feeOn, and a support-mint account', ({ feeOn, byte }) => {
    const request = { ...create, supportMints: [key(9)] };
    expect(goldenOf(createCustomizablePoolInstruction(request, feeOn))).toEqual({
      program: CLMM.toBase58(),
      data: '2b44d4a7592fa401' + '0a090807060504030201000000000000' + byte + '00',
      accounts: [...CREATE_ACCOUNTS, `-- ${at(9)}`],
    });
  });

  test('open_position_with_token22_nft', () => {
    const instruction = openPositionInstruction({
      pool: POOL,
      payer: key(7),
      owner: key(8),
      positionMint: key(9),
      tickLower: -443_520,
      tickUpper: 191_160,
      liquidity: 35_333_843_554_089n,
      amount0Max: 0n,
      amount1Max: 500_000_000_000_000_000n,
      account0: key(10),
      account1: key(11),
    });
    expect(goldenOf(instruction)).toEqual({
      program: CLMM.toBase58(),
      // -443,520, 191,160, and the arrays' starts -446,400 and 187,200.
      data: [
        '4dffae527d1dc92e',
        '803bf9ff' + 'b8ea0200' + '4030f9ff' + '40db0200',
        '298f31cd222000000000000000000000',
        '0000000000000000' + '0000b2d3595bf006',
        '00' + '00',
      ].join(''),
      accounts: [
        `sw ${at(7)}`,
        `-- ${at(8)}`,
        `sw ${at(9)}`,
        `-w ${associated(key(8), TOKEN_2022, key(9))}`,
        `-w ${at(1)}`,
        `-- ${at(1)}`,
        `-w ${pda(CLMM, 'tick_array', POOL.address, -446_400)}`,
        `-w ${pda(CLMM, 'tick_array', POOL.address, 187_200)}`,
        `-w ${pda(CLMM, 'position', key(9))}`,
        `-w ${at(10)}`,
        `-w ${at(11)}`,
        `-w ${at(5)}`,
        `-w ${at(6)}`,
        `-- ${RENT}`,
        `-- ${SYSTEM}`,
        `-- ${TOKEN}`,
        `-- ${ASSOCIATED}`,
        `-- ${TOKEN_2022}`,
        `-- ${at(3)}`,
        `-- ${at(4)}`,
      ],
    });
  });

  test.each([
    { exact: 'in', zeroForOne: true, flag: '01' },
    { exact: 'out', zeroForOne: false, flag: '00' },
  ] as const)('swap_v2 exact $exact', ({ exact, zeroForOne, flag }) => {
    const instruction = swapInstruction({
      pool: POOL,
      owner: key(7),
      exact,
      zeroForOne,
      amount: 258n,
      limit: 1n,
      inputAccount: key(10),
      outputAccount: key(11),
      tickArrays: [0, -7_200],
    });
    const sides = [
      { vault: at(5), mint: at(3) },
      { vault: at(6), mint: at(4) },
    ] as const;
    const [input, output] = zeroForOne ? sides : [sides[1], sides[0]];
    expect(goldenOf(instruction)).toEqual({
      program: CLMM.toBase58(),
      data: '2b04ed0b1ac91e62' + '0201000000000000' + '0100000000000000' + '00'.repeat(16) + flag,
      accounts: [
        `s- ${at(7)}`,
        `-- ${at(2)}`,
        `-w ${at(1)}`,
        `-w ${at(10)}`,
        `-w ${at(11)}`,
        `-w ${input.vault}`,
        `-w ${output.vault}`,
        `-w ${observation}`,
        `-- ${TOKEN}`,
        `-- ${TOKEN_2022}`,
        `-- ${MEMO}`,
        `-- ${input.mint}`,
        `-- ${output.mint}`,
        `-w ${pda(CLMM, 'tick_array', POOL.address, 0)}`,
        `-w ${pda(CLMM, 'tick_array', POOL.address, -7_200)}`,
      ],
    });
  });

  test('an amount that does not fit its field is refused', () => {
    expect(() => createPoolInstruction({ ...create, sqrtPriceX64: 1n << 128n })).toThrow(RangeError);
    expect(() => createPoolInstruction({ ...create, sqrtPriceX64: -1n })).toThrow(RangeError);
  });
});
