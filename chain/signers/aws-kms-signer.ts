import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { PublicKey } from '@solana/web3.js';
import { type Signer, SignerError } from './signer.ts';

export interface KmsKey {
  /** Name in error messages. */
  readonly name: string;
  /** Id, ARN, `alias/…` or alias ARN; spec ECC_NIST_EDWARDS25519, usage SIGN_VERIFY. */
  readonly keyId: string;
}

/**
 * RAW messages by ED25519_SHA_512 are plain Ed25519 (RFC 8032). Rejects with a SignerError without a response, or for
 * another key type.
 *
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/symm-asymm-choose-key-spec.html
 */
export async function openKmsSigner(client: Pick<KMSClient, 'send'>, { name, keyId }: KmsKey): Promise<Signer> {
  return {
    publicKey: await readPublicKey(client, name, keyId),
    name,
    sign: (message) => signMessage(client, name, keyId, message.bytes),
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

/** Decodes SubjectPublicKeyInfo (RFC 8410). */
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
    // KMS names the refusal in the error's name.
    throw new SignerError(name, `KMS refused ${action} (${String(cause)})`, cause);
  }
}
