import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { ACCOUNTS_PER_CALL } from '../../../../chain/market/pool-changes.ts';
import type { Rpc } from '../../../../chain/rpc/rpc.ts';
import { unpackTokenMint } from '../../../../chain/tokens/unpack-mint.ts';
import { batchesOf } from '../../../../domain/batches.ts';

/** Supplies of mints, raw units: as the source reported them since the last hole, else by RPC. */
export class Supplies {
  readonly #rpc: Rpc;
  readonly #raw = new Map<string, bigint>();

  constructor(rpc: Rpc) {
    this.#rpc = rpc;
  }

  of(mint: string): bigint {
    const supply = this.#raw.get(mint);
    if (supply === undefined) throw new Error(`the supply of ${mint} was not read`);
    return supply;
  }

  note(mint: string, account: AccountInfo<Buffer> | null): void {
    const unpacked = unpackTokenMint(new PublicKey(mint), account);
    if (unpacked) this.#raw.set(mint, unpacked.mint.supply);
  }

  forget(): void {
    this.#raw.clear();
  }

  async ensure(mints: readonly string[]): Promise<void> {
    const missing = mints.filter((mint) => !this.#raw.has(mint)).map((mint) => new PublicKey(mint));
    for (const page of batchesOf(missing, ACCOUNTS_PER_CALL)) {
      const accounts = await this.#rpc.connection.getMultipleAccountsInfo([...page], 'confirmed');
      for (const [index, mint] of page.entries()) {
        const supply = unpackTokenMint(mint, accounts[index] ?? null)?.mint.supply;
        // A fork removed the mint: there are no trades.
        this.#raw.set(mint.toBase58(), supply ?? 0n);
      }
    }
  }
}
