import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { signDataItem } from '../../../chain/storage/arweave/data-item.ts';
import { deepHash } from '../../../chain/storage/arweave/deep-hash.ts';
import { encodeTags } from '../../../chain/storage/arweave/tags.ts';

const secretKey = Uint8Array.from({ length: 32 }, (_, index) => index);

/** Made and verified with @dha-team/arbundles 1.0.4 (`createData`, `SolanaSigner`, `isValid`), an implementation not ours. */
const golden = [
  {
    name: 'one tag',
    data: '{"name":"Golden"}',
    tags: [{ name: 'Content-Type', value: 'application/json' }],
    id: 'QzMqkNhGk-qdr9WaIkPH4bpeA7MB9E58rp517KsNxLs',
    wire: 'AgAruKZJ3cWdL+Lu4WbCKnoO+7cmC3RKfRC9mvr4PjrJV6HrLh+kIHY6FVXYaPlhfYTLp2As+eG6wfKCDJRBrg8NA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbgAAAEAAAAAAAAAIAAAAAAAAAACGENvbnRlbnQtVHlwZSBhcHBsaWNhdGlvbi9qc29uAHsibmFtZSI6IkdvbGRlbiJ9',
  },
  {
    name: 'no tags, no data',
    data: '',
    tags: [],
    id: 'qB2CrvhGmsCFsoKtbB8D7aipxPNP2FcS0i31cEc-I1Q',
    wire: 'AgCKUQM0nkOxTZtVB9MCYZirlEvo0y8JNa8Q8z6XdJDBJimBU7S/zh38mBW9BflpK53ODZ/lYnyoFNU3/AOnU08BA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbgAAAAAAAAAAAAAAAAAAAAAAAA=',
  },
];

const threeTags = [
  { name: 'Content-Type', value: 'image/png' },
  { name: 'App-Name', value: 'slipway' },
  { name: 'Long', value: 'v'.repeat(100) },
];

describe('a data item', () => {
  it.each(golden)('with $name equals the independent implementation byte for byte', ({ data, tags, id, wire }) => {
    const item = signDataItem(Buffer.from(data), tags, secretKey);
    expect(item.id).toBe(id);
    expect(Buffer.from(item.wire).toString('base64')).toBe(wire);
  });

  it('with a tag longer than one length byte has the id of the independent implementation', () => {
    const item = signDataItem(Buffer.from('x'.repeat(300)), threeTags, secretKey);
    expect(item.id).toBe('bxxH1sdhKU44cUEGJJ4nPrhU_tiPT9x93LmSer4h01Q');
    expect(createHash('sha256').update(item.wire.subarray(2, 66)).digest('base64url')).toBe(item.id);
  });

  it('has the same id each time, and another one for another byte, type or key', () => {
    const type = [{ name: 'Content-Type', value: 'image/png' }];
    const idOf = (data: string, tags: typeof type, key: Uint8Array) => signDataItem(Buffer.from(data), tags, key).id;
    const ids = [
      idOf('a', type, secretKey),
      idOf('b', type, secretKey),
      idOf('a', [], secretKey),
      idOf('a', type, ed25519.utils.randomSecretKey()),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(idOf('a', type, secretKey)).toBe(ids[0]);
  });
});

describe('the deep hash', () => {
  it('tells a list of two from the same bytes in one', () => {
    const [a, b] = [Buffer.from('a'), Buffer.from('b')];
    expect(deepHash([a, b])).not.toEqual(deepHash([Buffer.from('ab')]));
    expect(deepHash([[a], b])).not.toEqual(deepHash([a, b]));
  });
});

describe('tags beyond the standard are refused', () => {
  it.each([
    ['an empty name', [{ name: '', value: 'x' }], 'neither empty'],
    ['an empty value', [{ name: 'x', value: '' }], 'neither empty'],
    ['129 tags', Array.from({ length: 129 }, (_, i) => ({ name: `n${i}`, value: 'v' })), 'at most 128 tags, got 129'],
    ['too many bytes', [{ name: 'n', value: 'v'.repeat(4_096) }], 'at most 4096 bytes'],
  ])('%s', (_name, tags, message) => {
    expect(() => encodeTags(tags)).toThrow(message);
  });
});
