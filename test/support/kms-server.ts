import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { Keypair } from '@solana/web3.js';
import Type from 'typebox';
import { Value } from 'typebox/value';

/** DER header of an Ed25519 SubjectPublicKeyInfo (RFC 8410): the 32 bytes of the key follow. */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

/** A key as KMS holds it. `answer` replaces what Sign would give. */
export interface KmsTestKey {
  readonly keypair: Keypair;
  readonly spec?: string;
  readonly forge?: (signature: Uint8Array) => Uint8Array;
  /** It signs once this resolves. */
  readonly before?: () => Promise<unknown>;
}

/** A server that speaks what AWS KMS does of GetPublicKey and Sign (AWS JSON 1.1), on loopback. */
export interface KmsServer {
  readonly url: string;
  /** Actions that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

const Request = Type.Object({
  KeyId: Type.String(),
  Message: Type.Optional(Type.String()),
  MessageType: Type.Optional(Type.String()),
  SigningAlgorithm: Type.Optional(Type.String()),
});

/** Starts the server with keys by their id or alias. */
export async function startKmsServer(keys: Readonly<Record<string, KmsTestKey>>): Promise<KmsServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void answer(keys, asked, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function answer(
  keys: Readonly<Record<string, KmsTestKey>>,
  asked: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const action = String(request.headers['x-amz-target']).replace('TrentService.', '');
  const isSigned = String(request.headers['authorization']).startsWith('AWS4-HMAC-SHA256 ');
  const body = Value.Parse(Request, JSON.parse(await text(request)));
  asked.push(action);
  const key = keys[body.KeyId];
  const send = (status: number, value: object): void => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(value));
  };
  if (!isSigned) return send(400, { __type: 'AccessDeniedException', message: 'no credentials' });
  if (!key) return send(400, { __type: 'NotFoundException', message: `Key '${body.KeyId}' does not exist` });
  if (action === 'GetPublicKey') return send(200, publicKeyOf(key));
  if (body.MessageType !== 'RAW' || body.SigningAlgorithm !== 'ED25519_SHA_512') {
    return send(400, { __type: 'ValidationException', message: 'this key signs RAW messages by ED25519_SHA_512' });
  }
  await key.before?.();
  return send(200, { Signature: sign(key, Buffer.from(body.Message ?? '', 'base64')) });
}

function publicKeyOf({ keypair, spec = 'ECC_NIST_EDWARDS25519' }: KmsTestKey): object {
  return {
    PublicKey: Buffer.concat([SPKI_HEADER, keypair.publicKey.toBytes()]).toString('base64'),
    KeySpec: spec,
    KeyUsage: 'SIGN_VERIFY',
    SigningAlgorithms: ['ED25519_SHA_512', 'ED25519_PH_SHA_512'],
  };
}

function sign({ keypair, forge = (signature) => signature }: KmsTestKey, message: Uint8Array): string {
  return Buffer.from(forge(ed25519.sign(message, keypair.secretKey.slice(0, 32)))).toString('base64');
}
