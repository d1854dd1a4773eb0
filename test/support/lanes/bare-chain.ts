import { Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { deriveLane, type Lane } from '../../../chain/lanes/lane.ts';
import { makeLane } from '../../../chain/lanes/make-lanes.ts';
import { compileTransaction } from '../../../chain/transactions/compile.ts';
import { Engine } from '../../../dev/localnet/engine/engine.ts';
import { History } from '../../../dev/localnet/ledger/history.ts';
import type { Ledger } from '../../../dev/localnet/ledger/ledger.ts';
import { openLedger } from '../../../dev/localnet/ledger/open-ledger.ts';
import { decodeTransaction } from '../../../dev/localnet/ledger/wire-transaction.ts';

/** `null`: it succeeded · `not landed`: it never was in a block · else the error that it failed with, as JSON. */
export type Fate = string | null;

/** A chain without a node, whose blocks close when a test says so: thousands of transactions take seconds. */
export interface BareChain {
  readonly ledger: Ledger;
  readonly platform: Keypair;
  sign(instructions: readonly TransactionInstruction[], signers?: readonly Keypair[], payer?: Keypair): Uint8Array;
  /** Hands bytes to the open block, and closes it unless told otherwise. */
  send(wire: Uint8Array, close?: boolean): Fate;
  pass(slots: number): void;
  fund(to: PublicKey, lamports?: bigint): void;
  lane(index: number): Promise<Lane>;
  /** Supply of a lane's mint, as of a slot. */
  value(lane: Lane, slot?: number): bigint;
  lamports(of: PublicKey, slot?: number): bigint;
}

const RENT = 2_039_280;

/** Starts one with a funded platform wallet. */
export function startBareChain(): BareChain {
  const platform = Keypair.generate();
  const faucet = platform.publicKey.toBase58();
  const ledger = openLedger({ engine: new Engine(), history: new History(':memory:'), faucet, now: Date.now });
  ledger.closeSlot();
  const chain: BareChain = {
    ledger,
    platform,
    sign: (instructions, signers = [], payer = platform) => signOn(ledger, instructions, [payer, ...signers]),
    send: (wire, close = true) => sendTo(ledger, wire, close),
    pass: (slots) => {
      for (let slot = 0; slot < slots; slot++) ledger.closeSlot();
    },
    fund: (to, lamports = 10n ** 9n) => {
      const transfer = { fromPubkey: platform.publicKey, toPubkey: to, lamports };
      must(chain, chain.sign([SystemProgram.transfer(transfer)]));
    },
    lane: (index) => openLane(chain, index),
    value: ({ mint }, slot = ledger.slot) => {
      const { data } = ledger.read(mint.toBase58(), slot) ?? {};
      if (!data) throw new Error(`there is no mint ${mint.toBase58()}`);
      return Buffer.from(data).readBigUInt64LE(36);
    },
    lamports: (of, slot = ledger.slot) => ledger.read(of.toBase58(), slot)?.lamports ?? 0n,
  };
  return chain;
}

let signed = 0n;

/** Each with a priority fee of its own, so that no two are the same message. */
function signOn(
  ledger: Ledger,
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[],
): Uint8Array {
  const { blockhash } = ledger.blocks.last;
  const plan = {
    payer: signers[0]!.publicKey,
    blockhash,
    instructions,
    computeUnits: 200_000,
    computeUnitPrice: ++signed,
  };
  const transaction = compileTransaction(plan);
  transaction.sign([...new Set(signers)]);
  return transaction.serialize();
}

function sendTo(ledger: Ledger, wire: Uint8Array, close: boolean): Fate {
  const landing = ledger.land(decodeTransaction(wire));
  if (close) ledger.closeSlot();
  if (!landing.landed) return 'not landed';
  return landing.record.err === null ? null : JSON.stringify(landing.record.err);
}

function must(chain: BareChain, wire: Uint8Array): void {
  const fate = chain.send(wire);
  if (fate !== null) throw new Error(`a transaction of the test itself failed: ${fate}`);
}

async function openLane(chain: BareChain, index: number): Promise<Lane> {
  const wallet = chain.platform.publicKey;
  const lane = await deriveLane({ platform: wallet, treasury: wallet }, 'test', index);
  must(chain, chain.sign(makeLane(lane, { platform: wallet, environment: 'test', rentLamports: RENT })));
  return lane;
}
