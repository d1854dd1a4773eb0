import { type Keypair, Transaction, VersionedTransaction } from '@solana/web3.js';

/** A way in which a wallet or a library writes down an issued transaction that it signed. */
export interface Encoding {
  readonly what: string;
  /** Signs an issued transaction (base64) and writes it down. */
  readonly sign: (issued: string, signer: Keypair) => string;
}

const bytesOf = (base64: string) => Buffer.from(base64, 'base64');

/** Signed with `Transaction` of web3.js, as most bots do. */
function signedAsTransaction(issued: string, signer: Keypair): Transaction {
  const transaction = Transaction.from(bytesOf(issued));
  transaction.partialSign(signer);
  return transaction;
}

function signedWire(issued: string, signer: Keypair): Buffer {
  return signedAsTransaction(issued, signer).serialize({ requireAllSignatures: false });
}

/** Only the first place of a signature, as libraries write that keep no empty ones. */
function withOnePlace(wire: Buffer): Buffer {
  const count = wire[0] ?? 0;
  return Buffer.concat([Buffer.of(1), wire.subarray(1, 65), wire.subarray(1 + 64 * count)]);
}

/** A wallet adapter sets what it knows anew, takes the transaction apart and compiles it again. */
function compiledAgain(issued: string, signer: Keypair): Buffer {
  const { instructions, recentBlockhash } = Transaction.from(bytesOf(issued));
  const transaction = new Transaction();
  transaction.feePayer = signer.publicKey;
  if (recentBlockhash !== undefined) transaction.recentBlockhash = recentBlockhash;
  transaction.add(...instructions).partialSign(signer);
  return transaction.serialize({ requireAllSignatures: false });
}

/** Every way that is known to be used. */
export const ENCODINGS: readonly Encoding[] = [
  {
    what: 'Transaction of web3.js, the missing signature as zeros',
    sign: (issued, signer) => signedWire(issued, signer).toString('base64'),
  },
  {
    what: 'Transaction of web3.js without checks',
    sign: (issued, signer) =>
      signedAsTransaction(issued, signer).serialize({ verifySignatures: false }).toString('base64'),
  },
  {
    what: 'Transaction of web3.js, compiled again by a wallet',
    sign: (issued, signer) => compiledAgain(issued, signer).toString('base64'),
  },
  {
    what: 'VersionedTransaction of web3.js',
    sign: (issued, signer) => {
      const transaction = VersionedTransaction.deserialize(bytesOf(issued));
      transaction.sign([signer]);
      return Buffer.from(transaction.serialize()).toString('base64');
    },
  },
  {
    what: 'one place for a signature only',
    sign: (issued, signer) => withOnePlace(signedWire(issued, signer)).toString('base64'),
  },
  {
    what: 'base64 without padding',
    sign: (issued, signer) => signedWire(issued, signer).toString('base64').replace(/=+$/, ''),
  },
  {
    what: 'base64url',
    sign: (issued, signer) => signedWire(issued, signer).toString('base64url'),
  },
  {
    what: 'base64 in lines of 76',
    sign: (issued, signer) => `${signedWire(issued, signer).toString('base64').replace(/.{76}/g, '$&\n')}\n`,
  },
];
