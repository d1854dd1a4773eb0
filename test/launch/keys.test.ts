import { describe, expect, it } from 'vitest';
import { deriveKeypair, deriveLaunchAddresses, deriveLaunchKeys } from '../../chain/keys/launch-keys.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index);
const SEED = { id: 'seed-1', secret: SECRET };
const CONTEXT = { environment: 'production', genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' };
const QUOTE_ID = '0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e';

describe('the keys of a launch', () => {
  // Computed with Python's cryptography 48: HKDF-SHA256 and Ed25519 over the same salt and info.
  it('are those of RFC 5869 and RFC 8032, so that another implementation can recover them', () => {
    expect(deriveLaunchAddresses(SEED, CONTEXT, QUOTE_ID)).toEqual({
      launchWallet: '6JktpMUUWt7EW6rHSboRJc8PsVRVWhJWx5RXjYAzc6fv',
      mint: 'DF2fbBr6xj7tq9QHnzMCPjoDSk4Gowp6JJNmoCFgYfvT',
      positionMints: ['5y137PGxDCHRVD7tEzxcPem14E2yyARYmR1RAcQeJosB', 'CcK8o9bCTk6NAnMEXXwnV4Af5oQSSTsRQ5z3K2QQcXcm'],
      feeKeyMints: ['J8FjoBHPUaE17yCBBEfbAqjc1NqkyHuSqNCNDXaZjvMM', 'GFhkshWTwgMkVnBxfEsxww6Ppv8gYHTN1wc8xo4FBm34'],
    });
  });

  it('are six different ones', () => {
    const { wallet, mint, positionMints, feeKeyMints } = deriveLaunchKeys(SEED, CONTEXT, QUOTE_ID);
    const keys = [wallet, mint, ...positionMints, ...feeKeyMints].map((key) => key.publicKey.toBase58());
    expect(new Set(keys).size).toBe(6);
  });

  it('are the same at every try', () => {
    expect(deriveLaunchKeys(SEED, CONTEXT, QUOTE_ID)).toEqual(deriveLaunchKeys(SEED, CONTEXT, QUOTE_ID));
  });
});

describe('a derived key', () => {
  const usual = { secret: SECRET, context: CONTEXT, purpose: 'mint', id: QUOTE_ID };
  const derived = (changes: Partial<typeof usual>): string => {
    const { secret, context, purpose, id } = { ...usual, ...changes };
    return deriveKeypair(secret, context, purpose, id).publicKey.toBase58();
  };

  const changes: [string, Partial<typeof usual>][] = [
    ['seed', { secret: SECRET.map((byte, index) => (index === 31 ? byte ^ 1 : byte)) }],
    ['environment', { context: { ...CONTEXT, environment: 'staging' } }],
    ['chain', { context: { ...CONTEXT, genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' } }],
    ['purpose', { purpose: 'launch-wallet' }],
    ['id', { id: '0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3f' }],
  ];
  it.each(changes)('is another one for another %s', (_what, change) => {
    expect(derived(change)).not.toBe(derived({}));
  });

  it('cannot be reached by moving text from one input into the next', () => {
    const split = derived({ purpose: 'fee', id: 'key-1' });
    expect(derived({ purpose: 'feekey', id: '-1' })).not.toBe(split);
    expect(derived({ purpose: 'fee","key-1', id: '' })).not.toBe(derived({ purpose: 'fee', id: 'key-1' }));
    const context = { ...CONTEXT, environment: 'production","fee' };
    expect(derived({ context, purpose: 'key', id: '1' })).not.toBe(derived({ purpose: 'fee', id: 'key' }));
  });

  it.each([0, 31, 33, 64])('is not made from %i bytes', (length) => {
    expect(() => derived({ secret: new Uint8Array(length) })).toThrow(`a seed has 32 bytes, got ${length}`);
  });
});
