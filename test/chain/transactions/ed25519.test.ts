import { ed25519 } from '@noble/curves/ed25519.js';
import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { privateKeyOf, publicKeyOf, signatureBy } from '../../../chain/keys/ed25519.ts';

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));

/** RFC 8032, section 7.1, test 3. */
const RFC_8032 = {
  seed: hex('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7'),
  publicKey: hex('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025'),
  message: hex('af82'),
  signature: hex(
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ),
};

describe('keys and signatures of the runtime', () => {
  it('are those of RFC 8032', () => {
    const key = privateKeyOf(RFC_8032.seed);
    expect(publicKeyOf(key)).toEqual(RFC_8032.publicKey);
    expect(signatureBy(key, RFC_8032.message)).toEqual(RFC_8032.signature);
  });

  it('are those that web3.js and noble give, byte for byte', () => {
    for (let n = 0; n < 50; n++) {
      const seed = crypto.getRandomValues(new Uint8Array(32));
      const message = crypto.getRandomValues(new Uint8Array(1 + 20 * n));
      const key = privateKeyOf(seed);
      expect(publicKeyOf(key)).toEqual(Keypair.fromSeed(seed).publicKey.toBytes());
      expect(signatureBy(key, message)).toEqual(ed25519.sign(message, seed));
    }
  });

  it('are not made of anything but 32 bytes', () => {
    expect(() => privateKeyOf(new Uint8Array(31))).toThrow('a seed has 32 bytes, got 31');
  });
});
