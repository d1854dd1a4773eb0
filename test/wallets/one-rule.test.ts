import type { VersionedTransaction } from '@solana/web3.js';
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

    it.each(WALLETS.map(({ name, change }) => [name, change] as const))('%s is taken', (_name, change) => {
      const signed = changed(issued, change);
      expect(() => byService(issued, signed)).not.toThrow();
      expect(() => byClient(issued, signed)).not.toThrow();
    });
  },
);
