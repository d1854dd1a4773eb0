import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { fromBase58 } from '../encoding/base58.ts';
import type { Address } from '../ledger/account.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import { decodeTransaction } from '../ledger/wire-transaction.ts';
import { type Funding, fundingMessage } from './funding-message.ts';
import { transferMessage } from './transfer-message.ts';

/** Prefix of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export class Faucet {
  readonly address: Address;
  readonly #key: KeyObject;
  #count = 0;

  private constructor(seed: Uint8Array, signer: KeyPairSigner) {
    this.address = signer.address;
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  }

  /** @param seed 32 bytes */
  static async fromSeed(seed: Uint8Array): Promise<Faucet> {
    return new Faucet(seed, await createKeyPairSignerFromPrivateKeyBytes(seed));
  }

  /**
   * @param lamports at least the rent minimum for a new wallet
   * @throws if it fails
   */
  fund(ledger: Ledger, wallet: Address, lamports: bigint): TransactionRecord {
    const blockhash = fromBase58(ledger.blocks.last.blockhash);
    const memo = this.#nextMemo(ledger);
    const message = transferMessage({ from: this.address, to: wallet, lamports, blockhash, memo });
    return this.#land(ledger, message, `airdrop of ${lamports} lamports to ${wallet}`);
  }

  /**
   * Gives all or nothing; the faucet must be the mint authority.
   *
   * @throws if it fails
   */
  give(ledger: Ledger, funding: Funding): TransactionRecord {
    const { blockhash } = ledger.blocks.last;
    const message = fundingMessage(funding, { faucet: this.address, blockhash, memo: this.#nextMemo(ledger) });
    return this.#land(ledger, message, `funding of ${funding.wallet}`);
  }

  /** Equal airdrops in one block would be duplicates. */
  #nextMemo(ledger: Ledger): string {
    return `airdrop ${(this.#count += 1)} ${ledger.slot}`;
  }

  #land(ledger: Ledger, message: Uint8Array, what: string): TransactionRecord {
    const wire = Buffer.concat([Buffer.of(1), sign(null, message, this.#key), message]);
    const landing = ledger.land(decodeTransaction(wire));
    const err = landing.landed ? landing.record.err : landing.err;
    if (!landing.landed || err) throw new Error(`${what} failed: ${JSON.stringify(err)}`);
    return landing.record;
  }
}
