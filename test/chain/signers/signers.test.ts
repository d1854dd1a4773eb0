import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Keypair, SystemProgram } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPlatformSigners } from '../../../chain/signers/platform-signers.ts';
import { openSigner } from '../../../chain/signers/open-signer.ts';
import { CheckedMessage } from '../../../chain/transactions/checked-message.ts';
import { compileTransaction } from '../../../chain/transactions/compile.ts';
import { signTransaction } from '../../../chain/transactions/sign-transaction.ts';
import { isSignedBy, isValidSignature } from '../../../chain/transactions/verify.ts';
import { type KmsServer, startKmsServer } from '../../support/kms-server.ts';

const key = Keypair.generate();
const base58 = bs58.encode(key.secretKey);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slipway-signers-'));
});

afterAll(() => rm(directory, { recursive: true }));

async function fileWith(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

describe('a key in the environment', () => {
  it('signs as its address', async () => {
    const signer = await openSigner('treasury', { kind: 'env', secretKey: base58 });
    expect(signer.publicKey.equals(key.publicKey)).toBe(true);
    const message = CheckedMessage.probe();
    expect(isValidSignature(await signer.sign(message), message.bytes, key.publicKey)).toBe(true);
  });

  it('is never part of what a log or an error shows', async () => {
    const signer = await openSigner('treasury', { kind: 'env', secretKey: base58 });
    const shown = inspect(signer, { depth: 9, showHidden: true }) + JSON.stringify(signer);
    for (const secret of [base58, String([...key.secretKey].slice(0, 6)), Buffer.from(key.secretKey).toString('hex')]) {
      expect(shown).not.toContain(secret);
    }
    const damaged = `${base58.slice(0, -3)}${base58.slice(-3) === '111' ? '222' : '111'}`;
    const failure = await openSigner('treasury', { kind: 'env', secretKey: damaged }).catch((error: unknown) => error);
    expect(String(failure)).toContain('treasury key (env)');
    expect(inspect(failure, { depth: 9 })).not.toContain(damaged.slice(0, 20));
  });
});

describe('a key in a file', () => {
  it.each([
    ['in base58, with a line end', `${base58}\n`],
    ['as solana-keygen writes it', JSON.stringify([...key.secretKey])],
  ])('is read %s', async (_, text) => {
    const path = await fileWith('key', text);
    const signer = await openSigner('platform', { kind: 'file', path });
    expect(signer.publicKey.equals(key.publicKey)).toBe(true);
    expect(signer.name).toBe(`platform key (file:${path})`);
  });

  it.each([
    ['holds something else', 'not a key', 0o600, 'is neither 64 bytes in base58 nor a JSON array of 64 bytes'],
    ['is too short', JSON.stringify([...key.secretKey].slice(1)), 0o600, 'is neither 64 bytes'],
    [
      'has halves of two keys',
      JSON.stringify([...key.secretKey.slice(0, 32), ...Keypair.generate().publicKey.toBytes()]),
      0o600,
      'its public key does not belong to its secret',
    ],
    ['can be read by every user', base58, 0o644, 'every user can open the file (mode 644)'],
    ['is no key by its size', 'x'.repeat(5_000), 0o600, 'the file has 5000 bytes'],
  ])('is refused when it %s', async (_, text, mode, problem) => {
    const path = await fileWith('bad', text, mode);
    await expect(openSigner('platform', { kind: 'file', path })).rejects.toThrow(
      `platform key (file:${path}): ${problem}`,
    );
  });

  it('that is not there is named', async () => {
    const path = join(directory, 'absent');
    await expect(openSigner('rewards', { kind: 'file', path })).rejects.toThrow(
      `rewards key (file:${path}): the file cannot be read`,
    );
  });
});

describe('a key in AWS KMS', () => {
  let kms: KmsServer;
  const wrongSignature = (signature: Uint8Array) =>
    Uint8Array.from(signature, (byte, at) => (at === 5 ? byte ^ 1 : byte));

  beforeAll(async () => {
    kms = await startKmsServer({
      'alias/treasury': { keypair: key },
      'alias/rsa': { keypair: key, spec: 'RSA_2048' },
      'alias/forger': { keypair: key, forge: wrongSignature },
    });
  });

  afterAll(() => kms.close());
  afterEach(() => vi.unstubAllEnvs());

  /** The environment in which the AWS client finds region, credentials and address. */
  function stubAws(changes: Record<string, string> = {}): void {
    const values = {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL_KMS: kms.url,
      AWS_MAX_ATTEMPTS: '1',
      ...changes,
    };
    Object.entries(values).forEach(([name, value]) => vi.stubEnv(name, value));
  }

  const open = (keyId: string) => openSigner('treasury', { kind: 'aws-kms', keyId });

  it('signs transactions that the chain accepts, and its secret never leaves KMS', async () => {
    stubAws();
    const signer = await open('alias/treasury');
    const other = Keypair.generate();
    const transaction = compileTransaction({
      payer: other.publicKey,
      blockhash: other.publicKey.toBase58(),
      computeUnits: 1_000,
      computeUnitPrice: 0n,
      instructions: [SystemProgram.transfer({ fromPubkey: signer.publicKey, toPubkey: other.publicKey, lamports: 1 })],
    });
    const { wire } = await signTransaction(transaction, [other, signer]);
    expect(isSignedBy(wire, key.publicKey.toBase58())).toBe(true);
    expect(isSignedBy(wire, other.publicKey.toBase58())).toBe(true);
    expect(kms.asked.slice(-3)).toEqual(['GetPublicKey', 'Sign', 'Sign']);
  });

  it.each([
    [
      'does not exist',
      'alias/absent',
      "KMS refused GetPublicKey (NotFoundException: Key 'alias/absent' does not exist)",
    ],
    ['is of another kind', 'alias/rsa', 'is a key of spec RSA_2048, needed is ECC_NIST_EDWARDS25519'],
    ['signs wrongly', 'alias/forger', `signed something that ${key.publicKey.toBase58()} does not verify`],
  ])('that %s is refused at once, by role and source', async (_, keyId, problem) => {
    stubAws();
    await expect(open(keyId)).rejects.toThrow(`treasury key (aws-kms:${keyId}): ${problem}`);
  });

  it('that cannot be reached is named', async () => {
    stubAws({ AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:9' });
    await expect(open('alias/treasury')).rejects.toThrow(
      'treasury key (aws-kms:alias/treasury): KMS refused GetPublicKey',
    );
  });
});

it('two roles with one key are refused, wherever it lies', async () => {
  const env = (keypair: Keypair) => ({ kind: 'env', secretKey: bs58.encode(keypair.secretKey) }) as const;
  const path = await fileWith('same', base58);
  await expect(
    openPlatformSigners({ treasury: env(key), platform: env(Keypair.generate()), rewards: { kind: 'file', path } }),
  ).rejects.toThrow(
    `rewards key (file:${path}): is the same key as the treasury key (env): ${key.publicKey.toBase58()}`,
  );
});
