import type { Account, Address } from './account.ts';

interface Version {
  readonly slot: number;
  readonly account: Account | null;
}

export class AccountStore {
  readonly #versions = new Map<Address, Version[]>();
  readonly #byOwner = new Map<Address, Set<Address>>();
  readonly #touched = new Map<number, Set<Address>>();

  /** Returns false if only the engine may know it. */
  has(address: Address): boolean {
    return this.#versions.has(address);
  }

  /** Null if absent then. */
  at(address: Address, slot: number): Account | null {
    const versions = this.#versions.get(address);
    if (!versions) return null;
    for (let i = versions.length - 1; i >= 0; i--) {
      const version = versions[i];
      if (version && version.slot <= slot) return version.account;
    }
    return null;
  }

  lastWrite(address: Address, slot: number): number | null {
    return this.#versions.get(address)?.findLast((version) => version.slot <= slot)?.slot ?? null;
  }

  put(address: Address, slot: number, account: Account | null): void {
    const versions = this.#versions.get(address) ?? [];
    if (versions.at(-1)?.slot === slot) versions.pop();
    versions.push({ slot, account });
    this.#versions.set(address, versions);
    this.#indexOwner(address, account);
    const touched = this.#touched.get(slot) ?? new Set();
    this.#touched.set(slot, touched.add(address));
  }

  /** Replaces all versions by one valid from `slot` on, at every commitment. */
  replace(address: Address, slot: number, account: Account | null): void {
    this.#versions.set(address, []);
    this.put(address, slot, account);
  }

  touchedIn(slot: number): ReadonlySet<Address> {
    return this.#touched.get(slot) ?? new Set();
  }

  *ownedBy(owner: Address, slot: number): Generator<[Address, Account]> {
    for (const address of this.#byOwner.get(owner) ?? []) {
      const account = this.at(address, slot);
      if (account?.owner === owner) yield [address, account];
    }
  }

  *all(slot: number): Generator<[Address, Account]> {
    for (const address of this.#versions.keys()) {
      const account = this.at(address, slot);
      if (account) yield [address, account];
    }
  }

  dropFrom(slot: number): Set<Address> {
    const changed = new Set<Address>();
    for (const [at, addresses] of this.#touched) {
      if (at < slot) continue;
      for (const address of addresses) changed.add(address);
      this.#touched.delete(at);
    }
    for (const address of changed) {
      const kept = (this.#versions.get(address) ?? []).filter((version) => version.slot < slot);
      this.#versions.set(address, kept);
    }
    return changed;
  }

  /** Drops versions unseen by reads at or after `floor`; returns (address, slot) pairs. */
  prune(floor: number): [Address, number][] {
    const gone: [Address, number][] = [];
    for (const [slot, addresses] of this.#touched) {
      if (slot > floor) continue;
      for (const address of addresses) this.#pruneAccount(address, floor, gone);
      this.#touched.delete(slot);
    }
    return gone;
  }

  #pruneAccount(address: Address, floor: number, gone: [Address, number][]): void {
    const versions = this.#versions.get(address);
    const keepFrom = versions?.findLastIndex((version) => version.slot <= floor) ?? -1;
    if (!versions || keepFrom < 0) return;
    for (const { slot } of versions.splice(0, keepFrom)) gone.push([address, slot]);
    const only = versions.length === 1 ? versions[0] : undefined;
    if (only?.account !== null) return;
    gone.push([address, only.slot]);
    this.#forget(address);
  }

  #forget(address: Address): void {
    this.#versions.delete(address);
    for (const owned of this.#byOwner.values()) owned.delete(address);
  }

  #indexOwner(address: Address, account: Account | null): void {
    if (!account) return;
    const owned = this.#byOwner.get(account.owner) ?? new Set();
    this.#byOwner.set(account.owner, owned.add(address));
  }
}
