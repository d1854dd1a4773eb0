import { randomBytes } from 'node:crypto';
import { toBase58 } from '../encoding/base58.ts';
import type { Engine } from '../engine/engine.ts';
import { AccountStore } from './account-store.ts';
import { type Account, type Address, SYSTEM_PROGRAM } from './account.ts';
import { type Block, BlockChain } from './blocks.ts';
import type { History } from './history.ts';
import { Ledger, SLOTS_TO_FINALIZE, STATUS_CACHE_SLOTS } from './ledger.ts';
import { StatusCache } from './status-cache.ts';

/** Slot and height differ: no test can confuse them. */
export const FIRST_SLOT = 1_000;
export const FIRST_HEIGHT = 900;
/** 500 million SOL. */
const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;
const RECENT_BLOCKS = 600;

export interface OpenLedgerOptions {
  readonly engine: Engine;
  readonly history: History;
  readonly faucet: Address;
  /** Default as on the real chain. */
  readonly slotsToFinalize?: number;
  /** ms. */
  readonly now: () => number;
}

function genesisBlock(history: History, { faucet, now }: OpenLedgerOptions): Block {
  const block = {
    slot: FIRST_SLOT,
    parentSlot: FIRST_SLOT - 1,
    height: FIRST_HEIGHT,
    blockhash: toBase58(randomBytes(32)),
    previousBlockhash: SYSTEM_PROGRAM,
    time: Math.floor(now() / 1000),
  };
  const account: Account = {
    lamports: FAUCET_LAMPORTS,
    data: new Uint8Array(),
    owner: SYSTEM_PROGRAM,
    executable: false,
  };
  history.atomically(() => {
    history.addBlock(block, []);
    history.putAccount({ address: faucet, slot: FIRST_SLOT, account });
  });
  return block;
}

function loadAccounts(history: History, engine: Engine): AccountStore {
  const accounts = new AccountStore();
  const addresses = new Set<Address>();
  for (const { address, slot, account } of history.accounts()) {
    accounts.put(address, slot, account);
    addresses.add(address);
  }
  for (const address of addresses) engine.setAccount(address, accounts.at(address, Number.MAX_SAFE_INTEGER));
  return accounts;
}

export function openLedger(options: OpenLedgerOptions): Ledger {
  const { engine, history, slotsToFinalize = SLOTS_TO_FINALIZE, now } = options;
  const stored = history.newestBlocks(RECENT_BLOCKS);
  const closed = stored.length > 0 ? stored : [genesisBlock(history, options)];
  const accounts = loadAccounts(history, engine);
  const last = closed.at(-1);
  if (!last) throw new Error('the history holds no block');
  const statuses = new StatusCache();
  for (const { signature, messageHash, slot, err } of history.statusesSince(last.slot - STATUS_CACHE_SLOTS)) {
    statuses.record(signature, messageHash, { slot, err });
  }
  const blocks = new BlockChain(closed, last.slot + 1, Math.max(last.time, Math.floor(now() / 1000)));
  return new Ledger({ engine, accounts, blocks, statuses, history, slotsToFinalize, now });
}
