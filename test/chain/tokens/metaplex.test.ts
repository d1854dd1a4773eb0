import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { decodeMetaplexMetadata } from '../../../chain/tokens/metaplex-account.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import {
  createMetadataInstruction,
  hasMetadataProgram,
  metadataAddress,
  metadataCost,
} from '../../../chain/tokens/metaplex.ts';
import { startScriptedNode } from '../../support/rpc/scripted-node.ts';

const MINT = new PublicKey('So11111111111111111111111111111111111111112');
const PAYER = new PublicKey('SysvarRent111111111111111111111111111111111');
const AUTHORITY = new PublicKey('SysvarC1ock11111111111111111111111111111111');
const SYSTEM = '11111111111111111111111111111111';
const METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
/** Wrapped SOL's metadata account on mainnet. */
const METADATA = '6dM4TqWyWJsbx7obrdLcviBkTafD5E8av61zfU6jq57X';

describe('the create instruction', () => {
  const request = {
    mint: MINT,
    mintAuthority: AUTHORITY,
    payer: PAYER,
    metadata: { name: 'Ebb é', symbol: 'EBB', uri: 'ar://x' },
  };

  it('encodes CreateMetadataAccountV3 byte for byte: no royalties, creators, collection or uses, immutable', () => {
    const { data } = createMetadataInstruction(request);
    expect(data.toString('hex')).toBe(
      [
        '21',
        '06000000456262' + '20c3a9',
        '03000000454242',
        '06000000' + '61723a2f2f78',
        '0000',
        '00',
        '00',
        '00',
        '00',
        '00',
      ].join(''),
    );
  });

  it('names the accounts in their order, with an update authority nobody can sign for', () => {
    const { keys, programId } = createMetadataInstruction(request);
    expect(programId.toBase58()).toBe(METADATA_PROGRAM);
    expect(keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable])).toEqual([
      [METADATA, false, true],
      [MINT.toBase58(), false, false],
      [AUTHORITY.toBase58(), true, false],
      [PAYER.toBase58(), true, true],
      [SYSTEM, false, false],
      [SYSTEM, false, false],
    ]);
  });
});

it('costs 15,115,600 lamports at the rent of (128 + bytes) x 6,960', async () => {
  expect(metadataAddress(MINT).toBase58()).toBe(METADATA);
  const cost = await metadataCost((bytes) => Promise.resolve(BigInt((128 + bytes) * 6_960)));
  expect(cost).toBe(15_115_600n);
});

describe('a metadata account', () => {
  const authority = Buffer.from(AUTHORITY.toBytes());
  const padded = (text: string, bytes: number) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes);
    return Buffer.concat([length, Buffer.from(text), Buffer.alloc(bytes - Buffer.byteLength(text))]);
  };
  const account = (updateAuthority: Buffer, afterTexts: string) =>
    Buffer.concat([
      Buffer.of(4),
      updateAuthority,
      MINT.toBuffer(),
      padded('Ebb é', 32),
      padded('EBB', 10),
      padded('ar://x', 200),
      Buffer.from(afterTexts, 'hex'),
      Buffer.alloc(300),
    ]);
  const texts = { name: 'Ebb é', symbol: 'EBB', uri: 'ar://x', mint: MINT };

  it('is decoded without the padding', () => {
    expect(decodeMetaplexMetadata(account(Buffer.alloc(32), '0000' + '00' + '00' + '00'))).toEqual({
      ...texts,
      updateAuthority: null,
      isMutable: false,
    });
  });

  it('is decoded behind a list of creators', () => {
    const creators = '01' + '02000000' + '01'.repeat(68);
    expect(decodeMetaplexMetadata(account(authority, 'f401' + creators + '01' + '01'))).toEqual({
      ...texts,
      updateAuthority: AUTHORITY,
      isMutable: true,
    });
  });

  it.each([
    ['is of another kind', Buffer.concat([Buffer.of(6), Buffer.alloc(606)]), 'begins with 4, not 6'],
    ['is empty', Buffer.alloc(0), 'ends after 0 bytes, 1 needed'],
    ['ends within its name', account(authority, '').subarray(0, 80), 'ends after 80 bytes, 101 needed'],
    ['has a text longer than itself', Buffer.concat([Buffer.of(4), Buffer.alloc(64), Buffer.alloc(4, 0xff)]), 'needed'],
    [
      'has a flag that is none',
      account(authority, '0000' + '00' + '00' + '02'),
      'is_mutable of a metadata account is 2',
    ],
  ])('is refused when it %s', (_, data, message) => {
    expect(() => decodeMetaplexMetadata(data)).toThrow(message);
  });
});

describe('the metadata program', () => {
  const nodeWith = (account: object | null) =>
    startScriptedNode(() => ({ result: { context: { slot: 7 }, value: [account] } }));
  const deployed = { lamports: 1, owner: SYSTEM, data: ['AAAA', 'base64'], executable: true };

  it('is deployed where a quorum says so: no endpoint alone has mints made without a name', async () => {
    await using a = await nodeWith(deployed);
    await using b = await nodeWith(deployed);
    await using liar = await nodeWith(null);
    const hasIt = (...nodes: { readonly url: string }[]) =>
      hasMetadataProgram(createRpc({ endpoints: nodes.map(({ url }) => url) }));
    expect(await hasIt(liar, a, b)).toBe(true);
    await expect(hasIt(liar, a)).rejects.toThrow('says the same of the metadata program');
    expect([await hasIt(a), await hasIt(liar)]).toEqual([true, false]);
  });
});
