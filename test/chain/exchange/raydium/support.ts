import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, type Keypair, type PublicKey, type VersionedTransaction } from '@solana/web3.js';
import type { Exchange, InstructionGroup } from '../../../../chain/exchange/exchange.ts';
import { createRaydiumExchange } from '../../../../chain/exchange/raydium/raydium-exchange.ts';
import { compileTransaction, signTransaction } from '../../../../chain/transactions/compile.ts';
import { type Localnet, startLocalnet } from '../../../../dev/localnet/index.ts';
import { tierAccount } from '../../../../dev/seed/raydium-tiers.ts';
import { createTestChain, type Landed, type TestChain } from '../test-chain.ts';
import { lockStandIn } from './lock-stand-in.ts';

const ELF = 'raydium_clmm.so';
const SLOT_MS = 40;
const POLL_MS = 20;
const LAND_TIMEOUT_MS = 15_000;

const programsDir = process.env['PROGRAMS_DIR'];

/** Whether Raydium's real program is at hand; says so plainly where it is not. */
export const hasClmm = programsDir !== undefined && existsSync(join(programsDir, ELF));
if (!hasClmm) console.warn(`skipped: the exchange on Raydium's real program, because PROGRAMS_DIR holds no ${ELF}`);

/** The adapter on a local chain that runs Raydium's real program. */
export interface RaydiumUnderTest {
  readonly localnet: Localnet;
  readonly connection: Connection;
  /** With a step of the tests' own in the place of the lock program, whose ELF cannot be had. */
  readonly exchange: Exchange;
  readonly chain: TestChain;
  close(): Promise<void>;
}

/** Starts a local chain with the program and the two fee configurations that launches use. */
export async function startRaydium(): Promise<RaydiumUnderTest> {
  const localnet = await startLocalnet({ slotMs: SLOT_MS, ...(programsDir !== undefined && { programsDir }) });
  localnet.control.setAccounts([configAccount(3, 10_000), configAccount(9, 20_000)]);
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const plain = await createTestChain(connection, (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
    return Promise.resolve();
  });
  const real = createRaydiumExchange({ connection, feeKeyMetadata: false });
  return {
    localnet,
    connection,
    exchange: { ...real, buildLocks: (request) => lockStandIn(localnet.control, request) },
    chain: withLookupTables(plain),
    close: () => localnet.close(),
  };
}

/** A launch's pool transaction fits only with the lookup table that its group names, and without a memo. */
function withLookupTables(chain: TestChain): TestChain {
  type Send = Parameters<TestChain['land']>;
  async function land(...[payer, group, signers = [], tables = []]: Send): Promise<Landed> {
    const isLarge = group.instructions.length > 2 && group.lookupAddresses.length > 0;
    if (!isLarge) return chain.land(payer, group, signers, tables);
    const table = await chain.createLookupTable(group.lookupAddresses);
    return landBare(chain.connection, payer, group, signers, [table]);
  }
  async function succeed(...send: Send): Promise<Landed> {
    const landed = await land(...send);
    if (landed.err === null) return landed;
    throw new Error(`${JSON.stringify(landed.err)}\n${landed.response.meta?.logMessages?.join('\n') ?? ''}`);
  }
  return { ...chain, land, succeed };
}

async function landBare(
  connection: Connection,
  payer: Keypair,
  group: InstructionGroup,
  signers: readonly Keypair[],
  lookupTables: Parameters<typeof compileTransaction>[0]['lookupTables'],
): Promise<Landed> {
  const { blockhash } = await connection.getLatestBlockhash('confirmed');
  const transaction = compileTransaction({
    payer: payer.publicKey,
    instructions: group.instructions,
    computeUnits: group.computeUnits,
    computeUnitPrice: 1_000n,
    blockhash,
    ...(lookupTables && { lookupTables }),
  });
  const { signature, wire } = await signTransaction(transaction, requiredOf(transaction, [payer, ...signers]));
  return landWire(connection, signature, wire);
}

/** Sends a signed transaction and answers how it landed. */
export async function landWire(connection: Connection, signature: string, wire: Uint8Array): Promise<Landed> {
  await connection.sendRawTransaction(wire, { skipPreflight: true, maxRetries: 0 });
  const deadline = Date.now() + LAND_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const response = await connection.getTransaction(signature, options);
    if (response) return { signature, err: response.meta?.err ?? null, bytes: wire.length, response };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`transaction ${signature} did not land within ${LAND_TIMEOUT_MS} ms`);
}

/** Of these keys, those that the transaction must be signed with. */
export function requiredOf({ message }: VersionedTransaction, keys: readonly Keypair[]): Keypair[] {
  const required = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  return required.flatMap((signer) => keys.find(({ publicKey }) => publicKey.equals(signer)) ?? []);
}

/** A fee configuration as Raydium has it on mainnet but for the fee, to be put on the chain. */
export function configAccount(index: number, feePpm: number) {
  const { address, data, owner } = tierAccount(index, feePpm);
  return [address.toBase58(), accountWith(Buffer.from(data), owner)] as const;
}

/** An account that a test puts on the chain. */
export function accountWith(data: Buffer, owner: PublicKey) {
  return { lamports: 10_000_000n, data, owner: owner.toBase58(), executable: false };
}
