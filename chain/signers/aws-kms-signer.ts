import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { PublicKey } from '@solana/web3.js';
import { type Signer, SignerError } from './signer.ts';

/** How the platform signs with a key of AWS KMS whose secret never leaves it. */
export interface KmsKey {
  /** What errors call it. */
  readonly name: string;
  /** Key id, ARN, `alias/…` or alias ARN of a key with spec ECC_NIST_EDWARDS25519 and usage SIGN_VERIFY. */
  readonly keyId: string;
}

/**
 * Opens a signer of AWS KMS and asks for its public key. RAW messages signed by ED25519_SHA_512 are plain Ed25519 (RFC 8032),
 * which is what Solana verifies. Rejects with a SignerError when KMS does not answer or the key is of another kind.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/symm-asymm-choose-key-spec.html
 */
export async function openKmsSigner(client: Pick<KMSClient, 'send'>, { name, keyId }: KmsKey): Promise<Signer> {
  return {
    publicKey: await readPublicKey(client, name, keyId),
    name,
    sign: (message) => signMessage(client, name, keyId, message),
  };
}

async function readPublicKey(client: Pick<KMSClient, 'send'>, name: string, keyId: string): Promise<PublicKey> {
  const command = new GetPublicKeyCommand({ KeyId: keyId });
  const { PublicKey: encoded, KeySpec } = await orExplain(name, 'GetPublicKey', () => client.send(command));
  if (KeySpec !== 'ECC_NIST_EDWARDS25519' || encoded === undefined) {
    throw new SignerError(name, `is a key of spec ${KeySpec ?? 'unknown'}, needed is ECC_NIST_EDWARDS25519`);
  }
  return new PublicKey(rawEd25519(name, encoded));
}

/** The 32 bytes of a key that KMS answers as DER (SubjectPublicKeyInfo, RFC 8410). */
function rawEd25519(name: string, der: Uint8Array): Uint8Array {
  try {
    const { x = '' } = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }).export({
      format: 'jwk',
    });
    return Buffer.from(x, 'base64url');
  } catch (cause) {
    throw new SignerError(name, 'KMS answered a public key of unknown form', cause);
  }
}

async function signMessage(
  client: Pick<KMSClient, 'send'>,
  name: string,
  keyId: string,
  message: Uint8Array,
): Promise<Uint8Array> {
  const command = new SignCommand({
    KeyId: keyId,
    Message: message,
    MessageType: 'RAW',
    SigningAlgorithm: 'ED25519_SHA_512',
  });
  const { Signature } = await orExplain(name, 'Sign', () => client.send(command));
  if (Signature === undefined) throw new SignerError(name, 'KMS answered no signature');
  return Signature;
}

async function orExplain<T>(name: string, action: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    // With the error's name: KMS says there what kind of refusal it is.
    throw new SignerError(name, `KMS refused ${action} (${String(cause)})`, cause);
  }
}
