import { CheckedMessage } from '../transactions/checked-message.ts';
import { isValidSignature } from '../transactions/verify.ts';
import { openKmsSigner } from './aws-kms-signer.ts';
import { readKeyFile } from './key-file.ts';
import { createKeypairSigner } from './keypair-signer.ts';
import { parseSecretKey } from './secret-key.ts';
import { type Signer, SignerError } from './signer.ts';

export type SignerSource =
  | { readonly kind: 'env'; readonly secretKey: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'aws-kms'; readonly keyId: string };

/** ms. */
const KMS_TIMEOUTS = { connectionTimeout: 3_000, requestTimeout: 5_000 } as const;

/** Verifies a probe signature. Rejects with a SignerError that names role (as in "treasury") and source. */
export async function openSigner(role: string, source: SignerSource): Promise<Signer> {
  const signer = verified(await openUnchecked(`${role} key (${describeSource(source)})`, source));
  await signer.sign(CheckedMessage.probe());
  return signer;
}

/** Describes a source without its secrets. */
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
      // Takes 100 ms, only for KMS.
      const { KMSClient } = await import('@aws-sdk/client-kms');
      return openKmsSigner(new KMSClient({ requestHandler: KMS_TIMEOUTS }), { name, keyId: source.keyId });
    }
  }
}

/** Bytes that cannot land must not be sent. */
function verified({ publicKey, name, sign }: Signer): Signer {
  return {
    publicKey,
    name,
    async sign(message) {
      const signature = await sign(message);
      if (isValidSignature(signature, message.bytes, publicKey)) return signature;
      throw new SignerError(name, `signed something that ${publicKey.toBase58()} does not verify`);
    },
  };
}
