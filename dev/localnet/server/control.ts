import { MintLayout } from '@solana/spl-token';
import { type Account, type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../ledger/account.ts';
import { BLOCKHASH_WINDOW } from '../ledger/blocks.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import { decodeTransaction } from '../ledger/wire-transaction.ts';
import type { Faucet } from './faucet.ts';
import type { Faults, Stall } from './faults.ts';
import type { Funding } from './funding-message.ts';
import type { SlotClock } from './slot-clock.ts';
import type { StreamFaults } from '../yellowstone/stream-faults.ts';

/** True for a mint whose mint authority is the given address. */
function isMintOf({ owner, data }: Account, authority: Address): boolean {
  if ((owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) || data.length < MintLayout.span) return false;
  const mint = MintLayout.decode(data.subarray(0, MintLayout.span));
  return mint.isInitialized && mint.mintAuthorityOption === 1 && mint.mintAuthority.toBase58() === authority;
}

/** What to drop, and which of the dropped transactions land again. */
export interface SkipSlotRequest {
  /** Indices into the dropped transactions (oldest first) that land again, one by one, each in a later slot. */
  readonly reland?: readonly number[];
  /** Drop this many of the newest slots, the open one included. Default: from the newest slot with a transaction on. */
  readonly slots?: number;
  /** Drop from this slot on; goes before `slots`. */
  readonly fromSlot?: number;
}

/** What was dropped. */
export interface SkipSlotResult {
  readonly fromSlot: number;
  /** Signatures of the dropped transactions, oldest first. */
  readonly dropped: readonly string[];
  /** Signatures that will land again, in order. */
  readonly relanding: readonly string[];
}

/** What the controls act on. */
export interface ControlParts {
  readonly ledger: Ledger;
  readonly clock: SlotClock;
  readonly faults: Faults;
  readonly faucet: Faucet;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** What tests and the local desk can make the chain and its endpoints do. */
export class ChainControl {
  readonly #ledger: Ledger;
  readonly #clock: SlotClock;
  readonly #faults: Faults;
  readonly #faucet: Faucet;
  readonly #now: () => number;
  #relanding: TransactionRecord[] = [];
  #skipNext = 0;
  #stream: StreamFaults | null = null;

  constructor({ ledger, clock, faults, faucet, now }: ControlParts) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#faults = faults;
    this.#faucet = faucet;
    this.#now = now;
  }

  /** Takes the faults of the stream that is served. */
  serveStream(faults: StreamFaults): void {
    this.#stream = faults;
  }

  /** What the stream can be made to do. Throws where none is served. */
  get stream(): StreamFaults {
    if (this.#stream === null) throw new Error('this chain serves no stream');
    return this.#stream;
  }

  /** One step of the clock: closes the open block, opens the next, lands one transaction that waits to land again. */
  tick(): void {
    const { slot } = this.#ledger;
    this.#faults.pinViews(this.#ledger.pins, slot);
    this.#ledger.closeSlot(1 + this.#skipNext);
    this.#skipNext = 0;
    const again = this.#relanding.shift();
    if (again) this.#ledger.land(decodeTransaction(again.wire));
  }

  /** Moves the chain on by some slots at once. */
  advanceSlots(count: number): void {
    for (let i = 0; i < count; i++) this.tick();
  }

  /** Makes the next slots pass without a block: slots move on, block heights do not. */
  skipNextSlots(count: number): void {
    this.#skipNext += count;
  }

  /** Moves the chain past the validity of every blockhash handed out so far. */
  expireBlockhashes(): void {
    this.advanceSlots(BLOCKHASH_WINDOW + 1);
  }

  /**
   * Drops the newest slots, as if the leader's blocks had been skipped: every transaction in them is undone, then the
   * chosen ones land again alone, where they still can.
   * @throws Error when a finalized slot would be dropped, or a chosen transaction is not among the dropped; nothing is dropped
   */
  skipSlot({ reland = [], slots, fromSlot }: SkipSlotRequest = {}): SkipSlotResult {
    const from = fromSlot ?? (slots === undefined ? this.#newestBusySlot() : this.#ledger.slot - slots + 1);
    const records = [...this.#ledger.history.since(from), ...this.#ledger.openRecords];
    const again = reland.map((index) => {
      const record = records[index];
      if (!record) throw new RangeError(`no transaction ${index} among the ${records.length} of slot ${from} on`);
      return record;
    });
    this.#ledger.dropFrom(from);
    this.#relanding.push(...again);
    const signatures = (of: readonly TransactionRecord[]): string[] => of.map((record) => record.signature);
    return { fromSlot: from, dropped: signatures(records), relanding: signatures(again) };
  }

  /** Changes the pace of slots (ms; 0 = only `advanceSlots` moves them). */
  setSlotMs(slotMs: number): void {
    this.#clock.setSlotMs(slotMs);
  }

  /** Overwrites accounts outside of any transaction, seen at every commitment at once; null removes one. */
  setAccounts(accounts: Iterable<readonly [Address, Account | null]>): void {
    this.#ledger.setAccounts(accounts);
  }

  /** Sends lamports from the faucet to a wallet; returns the transfer's signature. */
  fund(wallet: Address, lamports: bigint): string {
    return this.#faucet.fund(this.#ledger, wallet, lamports).signature;
  }

  /** Address of the faucet, the mint authority of the tokens it can give. */
  get faucet(): Address {
    return this.#faucet.address;
  }

  /**
   * Gives a wallet SOL and new units of tokens, all or nothing; returns the transaction's signature.
   * @throws Error that names a token the faucet is not the mint authority of
   */
  give(wallet: Address, lamports: bigint, tokens: readonly { mint: Address; amount: bigint }[]): string {
    const mintings = tokens.map(({ mint, amount }) => ({ mint, amount, tokenProgram: this.#programOfOwnMint(mint) }));
    const funding: Funding = { wallet, lamports, tokens: mintings };
    return this.#faucet.give(this.#ledger, funding).signature;
  }

  #programOfOwnMint(mint: Address): Address {
    const account = this.#ledger.read(mint, this.#ledger.slot);
    if (!account || !isMintOf(account, this.faucet)) throw new Error(`${mint} is no token that the faucet can make`);
    return account.owner;
  }

  /** Makes an endpoint (or all) answer as of some slots ago. */
  lag(slots: number, endpoint?: string): void {
    this.#faults.set({ lag: slots }, endpoint);
  }

  /** Makes an endpoint (or all) hang or answer with errors, for some ms or until cleared. */
  stall(mode: Stall['mode'], ms?: number, endpoint?: string): void {
    this.#faults.set({ stall: { mode, until: ms === undefined ? null : this.#now() + ms } }, endpoint);
  }

  /** Freezes an endpoint's (or every endpoint's) view of the chain at the newest closed block. */
  stale(endpoint?: string): void {
    this.#faults.set({ frozenAt: this.#ledger.blocks.last.slot }, endpoint);
  }

  /** Makes an endpoint (or all) forget blocks, transactions and statuses before a slot. */
  loseHistory(beforeSlot: number, endpoint?: string): void {
    this.#faults.set({ historyFrom: beforeSlot }, endpoint);
  }

  /** Makes an endpoint (or all) take the next transactions, answer with their signature and never pass them on. */
  dropTransactions(count: number, endpoint?: string): void {
    this.#faults.set({ drops: count }, endpoint);
  }

  /** Whether an endpoint swallows the transaction it was just sent; counts it. */
  takeDrop(endpoint: string): boolean {
    const { drops } = this.#faults.of(endpoint);
    if (drops <= 0) return false;
    this.#faults.set({ drops: drops - 1 }, endpoint);
    return true;
  }

  /** Switches all faults of an endpoint (or of all) off. */
  clear(endpoint?: string): void {
    this.#faults.clear(endpoint);
  }

  #newestBusySlot(): number {
    if (this.#ledger.openRecords.length > 0) return this.#ledger.slot;
    return this.#ledger.history.newestBusySlot() ?? this.#ledger.slot;
  }
}
