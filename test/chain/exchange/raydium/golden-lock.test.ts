import { describe, expect, test } from 'vitest';
import {
  collectLockedInstruction,
  decreaseLiquidityInstruction,
} from '../../../../chain/exchange/raydium/instructions/collect.ts';
import { lockPositionInstruction } from '../../../../chain/exchange/raydium/instructions/lock-position.ts';
import { PublicKey } from '@solana/web3.js';
import {
  ASSOCIATED,
  associated,
  CLMM,
  goldenOf,
  key,
  LOCK,
  MEMO,
  METADATA,
  pda,
  POOL,
  RENT,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
} from '../../../support/exchange/raydium/golden.ts';

const at = (byte: number) => key(byte).toBase58();

/** The lock program's authority as it is on mainnet. */
const AUTHORITY = 'kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy';

const COLLECT = {
  pool: POOL,
  positionMint: key(9),
  tickLower: -443_520,
  tickUpper: 191_160,
  holder: key(8),
  recipient0: key(10),
  recipient1: key(11),
};

const RANGE_AND_RECIPIENTS = [
  `-w ${at(5)}`,
  `-w ${at(6)}`,
  `-w ${pda(CLMM, 'tick_array', POOL.address, -446_400)}`,
  `-w ${pda(CLMM, 'tick_array', POOL.address, 187_200)}`,
  `-w ${at(10)}`,
  `-w ${at(11)}`,
  `-- ${TOKEN}`,
  `-- ${TOKEN_2022}`,
  `-- ${MEMO}`,
  `-- ${at(3)}`,
  `-- ${at(4)}`,
];

describe('lock and collection instructions are, byte for byte, what the published interfaces say', () => {
  test('the authority derives from its seed', () => {
    expect(pda(LOCK, 'program_authority_seed')).toBe(AUTHORITY);
  });

  test.each([
    { withMetadata: true, flag: '01' },
    { withMetadata: false, flag: '00' },
  ])('lock_clmm_position, metadata $withMetadata', ({ withMetadata, flag }) => {
    const parties = { payer: key(7), owner: key(7), feeKeyHolder: key(8) };
    const mints = { positionMint: key(9), feeKeyMint: key(12) };
    expect(goldenOf(lockPositionInstruction({ ...parties, ...mints, withMetadata }))).toEqual({
      program: LOCK.toBase58(),
      data: 'bc25b38352965449' + flag,
      accounts: [
        `-- ${AUTHORITY}`,
        `sw ${at(7)}`,
        `s- ${at(7)}`,
        `-- ${at(8)}`,
        `-w ${associated(key(7), TOKEN_2022, key(9))}`,
        `-- ${pda(CLMM, 'position', key(9))}`,
        `-- ${at(9)}`,
        `-w ${associated(new PublicKey(AUTHORITY), TOKEN_2022, key(9))}`,
        `-w ${pda(LOCK, 'locked_position', key(12))}`,
        `sw ${at(12)}`,
        `-w ${associated(key(8), TOKEN, key(12))}`,
        `-w ${pda(new PublicKey(METADATA), 'metadata', new PublicKey(METADATA), key(12))}`,
        `-- ${METADATA}`,
        `-- ${ASSOCIATED}`,
        `-- ${RENT}`,
        `-- ${TOKEN}`,
        `-- ${TOKEN_2022}`,
        `-- ${SYSTEM}`,
      ],
    });
  });

  test('collect_clmm_fees_and_rewards', () => {
    const instruction = collectLockedInstruction({ ...COLLECT, feeKeyMint: key(12), lockedNftAccount: key(13) });
    expect(goldenOf(instruction)).toEqual({
      program: LOCK.toBase58(),
      data: '1048fac60ea2d413',
      accounts: [
        `-- ${AUTHORITY}`,
        `s- ${at(8)}`,
        `-- ${associated(key(8), TOKEN, key(12))}`,
        `-- ${pda(LOCK, 'locked_position', key(12))}`,
        `-- ${CLMM.toBase58()}`,
        `-w ${at(13)}`,
        `-w ${pda(CLMM, 'position', key(9))}`,
        `-w ${at(1)}`,
        `-w ${pda(CLMM, 'position', POOL.address, -443_520, 191_160)}`,
        ...RANGE_AND_RECIPIENTS,
      ],
    });
  });

  test.each([
    { withdrawal: undefined, amounts: '00'.repeat(32) },
    {
      withdrawal: { liquidity: 3n, amount0Min: 2n, amount1Min: 1n },
      amounts: '03' + '00'.repeat(15) + '02' + '00'.repeat(7) + '01' + '00'.repeat(7),
    },
  ])('decrease_liquidity_v2 of $withdrawal', ({ withdrawal, amounts }) => {
    expect(goldenOf(decreaseLiquidityInstruction(COLLECT, withdrawal))).toEqual({
      program: CLMM.toBase58(),
      data: '3a7fbc3e4f52c460' + amounts,
      accounts: [
        `s- ${at(8)}`,
        `-- ${associated(key(8), TOKEN_2022, key(9))}`,
        `-w ${pda(CLMM, 'position', key(9))}`,
        `-w ${at(1)}`,
        `-- ${pda(CLMM, 'position', POOL.address, -443_520, 191_160)}`,
        ...RANGE_AND_RECIPIENTS,
      ],
    });
  });
});
