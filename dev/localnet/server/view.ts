import type { Account, Address } from '../ledger/account.ts';
import type { TransactionError } from '../engine/transaction-error.ts';
import { type Block, BLOCKHASH_WINDOW } from '../ledger/blocks.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { durableNonce, nonceAccountOf, nonceAllows } from '../ledger/nonce.ts';
import type { Sandbox } from '../ledger/sandbox.ts';
import type { LandedStatus } from '../ledger/status-cache.ts';
import type { WireMessage } from '../ledger/wire-transaction.ts';
import type { Commitment } from '../rpc/params.ts';
import type { EndpointFaults } from './faults.ts';

export type ReadAccount = (address: Address) => Account | null;

export class ChainView {
  readonly ledger: Ledger;
  readonly #faults: EndpointFaults;

  constructor(ledger: Ledger, faults: EndpointFaults) {
    this.ledger = ledger;
    this.#faults = faults;
  }

  get tip(): number {
    const { frozenAt, lag } = this.#faults;
    const behind = this.ledger.slot - lag;
    return Math.min(frozenAt ?? behind, behind);
  }

  get historyFrom(): number {
    return this.#faults.historyFrom;
  }

  slotAt(commitment: Commitment): number {
    const { ledger, tip } = this;
    if (commitment === 'processed') return tip === ledger.slot ? tip : ledger.blocks.latestAt(tip).slot;
    return ledger.blocks.latestAt(tip - (commitment === 'confirmed' ? 1 : ledger.slotsToFinalize)).slot;
  }

  blockAt(commitment: Commitment): Block {
    return this.ledger.blocks.latestAt(this.slotAt(commitment));
  }

  heightAt(commitment: Commitment): number {
    const { open } = this.ledger.blocks;
    return this.slotAt(commitment) === open.slot ? open.height : this.blockAt(commitment).height;
  }

  account(address: Address, commitment: Commitment): Account | null {
    return this.ledger.read(address, this.slotAt(commitment));
  }

  latestBlockhash(commitment: Commitment): { blockhash: string; lastValidBlockHeight: number } {
    const { blockhash, height } = this.blockAt(commitment);
    return { blockhash, lastValidBlockHeight: height + BLOCKHASH_WINDOW };
  }

  isBlockhashValid(blockhash: string, commitment: Commitment): boolean {
    const block = this.ledger.blocks.byHash(blockhash);
    if (!block || block.slot > this.slotAt(commitment)) return false;
    return this.ledger.blocks.isValidAt(blockhash, this.#nextHeight(commitment));
  }

  admissionError(message: WireMessage, commitment: Commitment, read: ReadAccount): TransactionError | null {
    const slot = this.slotAt(commitment);
    if (!this.isBlockhashValid(message.blockhash, commitment)) {
      const nonce = nonceAccountOf(message);
      const next = durableNonce(this.blockAt(commitment).blockhash);
      if (!nonceAllows(message, nonce === null ? null : read(nonce), next)) return 'BlockhashNotFound';
    }
    return this.ledger.statuses.messageSlot(message.hash, slot) === null ? null : 'AlreadyProcessed';
  }

  sandbox(commitment: Commitment): Sandbox {
    return this.ledger.sandbox(this.slotAt(commitment));
  }

  #nextHeight(commitment: Commitment): number {
    return this.blockAt(commitment).height + 1;
  }

  commitmentOf(slot: number): Commitment {
    if (slot <= this.slotAt('finalized')) return 'finalized';
    return slot <= this.slotAt('confirmed') ? 'confirmed' : 'processed';
  }

  recentStatus(signature: string): LandedStatus | null {
    const status = this.ledger.statuses.get(signature);
    return status && this.sees(status.slot) ? status : null;
  }

  sees(slot: number): boolean {
    return slot <= this.tip && slot >= this.historyFrom;
  }
}
