import { Message, PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../client/solana/message.ts';
import { mustBeAsIssued } from '../../client/solana/wallet-changes.ts';
import { assertSignedAsIssued } from '../../chain/transactions/wallet-changes.ts';
import { AppError } from '../../domain/errors.ts';
import { CHANGE_CASES, type ChangeCase } from '../support/wallets/change-cases.ts';
import { issuedClaim, issuedPayment } from '../support/wallets/issued-messages.ts';
import { changed, WALLETS } from '../support/wallets/wallets.ts';

const ISSUED = { payment: issuedPayment(), claim: issuedClaim() };
const byService = (issued: VersionedTransaction, signed: VersionedTransaction) =>
  assertSignedAsIssued(issued.message, signed.message, (what) => new AppError('invalid_request', what));
const byClient = (issued: VersionedTransaction, signed: VersionedTransaction) =>
  mustBeAsIssued(readMessage(issued.message.serialize()), readMessage(signed.message.serialize()));

/** A transaction of the issued message with changed bytes. */
function mutant({ message }: VersionedTransaction, change: (bytes: Uint8Array) => void): VersionedTransaction {
  const bytes = message.serialize();
  change(bytes);
  return new VersionedTransaction(VersionedMessage.deserialize(bytes));
}

function legacyOf({ message }: VersionedTransaction): Message {
  if (message instanceof Message) return message;
  throw new TypeError('the message is versioned');
}

describe.each(['payment', 'claim'] as const)(
  'what a wallet may make of a %s is one rule of service and client',
  (of) => {
    const issued = ISSUED[of];
    const cases = CHANGE_CASES.filter((one) => one.of === undefined || one.of === of);

    it.each(cases.map((one) => [one.what, one] as const))('%s', (_what, { change, taken }: ChangeCase) => {
      const signed = changed(issued, change);
      if (taken === true) {
        expect(() => byService(issued, signed)).not.toThrow();
        expect(() => byClient(issued, signed)).not.toThrow();
      } else {
        expect(() => byService(issued, signed)).toThrow(taken.service);
        expect(() => byClient(issued, signed)).toThrow(taken.client);
      }
    });

    const HEADER = [0, 1, 2] as const;
    it.each(HEADER.flatMap((at) => [at, at, at].map((_, more) => [at, more + 1] as const)))(
      'a header whose byte %i is %i more is refused',
      (at, more) => {
        const signed = mutant(issued, (bytes) => (bytes[at] = (bytes[at] ?? 0) + more));
        expect(() => byService(issued, signed)).toThrow();
        expect(() => byClient(issued, signed)).toThrow();
      },
    );

    it('an account that no instruction uses, or that is named twice, is refused', () => {
      for (const address of [new PublicKey(Buffer.alloc(32, 7)), issued.message.staticAccountKeys[1]!]) {
        const { message } = VersionedTransaction.deserialize(issued.serialize());
        message.staticAccountKeys.push(address);
        message.header.numReadonlyUnsignedAccounts += 1;
        const signed = new VersionedTransaction(message);
        expect(() => byService(issued, signed)).toThrow();
        expect(() => byClient(issued, signed)).toThrow();
      }
    });

    it('an instruction that names an account which the message lacks is refused, whichever it is', () => {
      for (const [at, { accounts }] of legacyOf(issued).instructions.entries()) {
        for (const change of [{ accounts: [...accounts, 250] }, { programIdIndex: 250 }]) {
          const message = legacyOf(VersionedTransaction.deserialize(issued.serialize()));
          Object.assign(message.instructions[at]!, change);
          const signed = new VersionedTransaction(message);
          expect(() => byService(issued, signed)).toThrow(/names account 250 of/);
          expect(() => byClient(issued, signed)).toThrow(/names account 250 of/);
        }
      }
    });

    it.each(WALLETS.map(({ name, change }) => [name, change] as const))('%s is taken', (_name, change) => {
      const signed = changed(issued, change);
      expect(() => byService(issued, signed)).not.toThrow();
      expect(() => byClient(issued, signed)).not.toThrow();
    });
  },
);
