import { randomBytes } from 'node:crypto';
import { isValidSignature } from '../transactions/verify.ts';
import { openKmsSigner } from './aws-kms-signer.ts';
import { readKeyFile } from './key-file.ts';
import { createKeypairSigner } from './keypair-signer.ts';
import { parseSecretKey } from './secret-key.ts';
import { type Signer, SignerError } from './signer.ts';

/** Where the secret of a key lies. */
export type SignerSource =
  | { readonly kind: 'env'; readonly secretKey: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'aws-kms'; readonly keyId: string };

/** Longest wait for KMS, in ms: to connect, and for an answer. */
const KMS_TIMEOUTS = { connectionTimeout: 3_000, requestTimeout: 5_000 } as const;

/**
 * Opens the signer of one key and proves that it signs for the public key it names. `role` is what the key is for, as in
 * "treasury". Rejects with a SignerError that names role and source.
 */
export async function openSigner(role: string, source: SignerSource): Promise<Signer> {
  const signer = verified(await openUnchecked(`${role} key (${describeSource(source)})`, source));
  await signer.sign(probeMessage());
  return signer;
}

/** A source for people; never a secret. */
export function describeSource(source: SignerSource): string {
  switch (source.kind) {
    case 'env':
      return 'env';
    case 'file':
      return `file:${source.path}`;
    case 'aws-kms':
      return `aws-kms:${source.keyId}`;
  }
}

async function openUnchecked(name: string, source: SignerSource): Promise<Signer> {
  switch (source.kind) {
    case 'env':
      return createKeypairSigner(name, parseSecretKey(name, source.secretKey));
    case 'file':
      return createKeypairSigner(name, await readKeyFile(name, source.path));
    case 'aws-kms': {
      // A hundred milliseconds of start-up that only those who use it pay.
      const { KMSClient } = await import('@aws-sdk/client-kms');
      return openKmsSigner(new KMSClient({ requestHandler: KMS_TIMEOUTS }), { name, keyId: source.keyId });
    }
  }
}

/** A signer that never returns a signature the chain would refuse: bytes that cannot land must not be sent. */
function verified({ publicKey, name, sign }: Signer): Signer {
  return {
    publicKey,
    name,
    async sign(message) {
      const signature = await sign(message);
      if (isValidSignature(signature, message, publicKey)) return signature;
      throw new SignerError(name, `signed something that ${publicKey.toBase58()} does not verify`);
    },
  };
}

/** Cannot be a transaction: no message of one begins with 0xff. The rest is random, so that no old answer passes. */
function probeMessage(): Uint8Array {
  return Buffer.concat([Buffer.from([0xff]), Buffer.from('slipway signer probe '), randomBytes(16)]);
}
