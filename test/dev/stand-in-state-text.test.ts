import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { createStandInKeys } from '../../dev/stand-in/keys.ts';
import { afterHarvest, claimableOf, type StandInState, withHarvests } from '../../dev/stand-in/state.ts';
import { decodeState, encodeState, parseState } from '../../dev/stand-in/state-text.ts';
import { sqrtPriceAtTick } from '../../chain/exchange/pool-math.ts';

const STATE: StandInState = {
  sequence: 300,
  tier: '2%',
  baseIsToken0: false,
  openTick: 191_160,
  liquidity: [53_000_765_331_134n, 17_666_921_777_044n],
  feeKeyTags: ['001122334455', 'ffeeddccbbaa'],
  sqrtPriceX64: sqrtPriceAtTick(180_000) + 1n,
  tick: 180_000,
  growthX64: [5_403_563_336_812_580_287_380n, 69_871_849_377_015n],
  collectedX64: [
    [1n, 2n],
    [0n, 1n << 127n],
  ],
  trade: { zeroForOne: true, amountIn: 7_357n, amountOut: 553_961_452_314n },
};

/** States that differ in everything that is coded on its own. */
const STATES: readonly StandInState[] = [
  STATE,
  { ...STATE, trade: null },
  { ...STATE, trade: { zeroForOne: false, amountIn: 1n, amountOut: 0n } },
  { ...STATE, tier: '1%', baseIsToken0: true, openTick: -191_160 },
  { ...STATE, openTick: 0, sequence: 1 },
  { ...STATE, sqrtPriceX64: sqrtPriceAtTick(191_160), tick: 191_159 },
];

describe('the text of a state', () => {
  test('reads back as the same state', () => {
    for (const state of STATES) expect(decodeState(encodeState(state))).toEqual(state);
    expect(new Set(STATES.map(encodeState)).size).toBe(STATES.length);
  });

  test('is refused when it is cut, longer, of another version or none at all', () => {
    const text = encodeState(STATE);
    const others = [text.slice(0, -4), `${text}AAAA`, text.replace('pool/2:', 'pool/1:'), 'pool/2:', '', 'launch/x/3'];
    for (const other of others) {
      expect(() => decodeState(other)).toThrow(RangeError);
      expect(parseState(other)).toBeNull();
    }
  });

  test('gives another key for every change of it', () => {
    const keys = createStandInKeys({ seed: new Uint8Array(32).fill(1), genesisHash: 'g' });
    const pool = Keypair.generate().publicKey;
    const addresses = STATES.map((state) => keys.state(pool, encodeState(state)).publicKey.toBase58());
    expect(new Set(addresses).size).toBe(STATES.length);
    const elsewhere = keys.state(Keypair.generate().publicKey, encodeState(STATE)).publicKey.toBase58();
    expect(addresses).not.toContain(elsewhere);
  });
});

describe('harvests of a state', () => {
  test('end in the same state in either order', () => {
    const [, , , both] = withHarvests(STATE);
    expect(both).toEqual(afterHarvest(afterHarvest(STATE, 1), 0));
  });

  test('leave it as it is where nothing is due', () => {
    const harvested = afterHarvest(STATE, 0);
    expect(claimableOf(harvested, 0)).toEqual({ baseRaw: 0n, quoteRaw: 0n });
    expect(afterHarvest(harvested, 0)).toBe(harvested);
  });
});
