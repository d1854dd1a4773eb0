import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { rewardMintBytes, rewardMintInstructions } from '../../chain/tokens/reward-mint.ts';
import { STANDARD_MINT_BYTES, standardMintInstructions } from '../../chain/tokens/standard-mint.ts';
import type { TokenMetadata } from '../../chain/tokens/token-metadata.ts';
import type { RewardTaxBps } from '../../domain/token-facts.ts';
import { startLocalnet } from '../../dev/localnet/index.ts';
import { createTestChain, groupOf, type Landed, type TestChain } from './exchange/test-chain.ts';

/** A mint as a launch makes it, with the wallet that once had every authority. */
export interface Minted {
  readonly wallet: Keypair;
  readonly mint: Keypair;
  /** The launch wallet's associated account. */
  readonly account: PublicKey;
  readonly landed: Landed;
  readonly rentLamports: bigint;
}

/** A local chain that makes launch mints. */
export interface MintingChain {
  readonly chain: TestChain;
  readonly connection: Connection;
  readonly rentFor: (bytes: number) => Promise<bigint>;
  standard(metadata?: TokenMetadata): Promise<Minted>;
  reward(taxBps: RewardTaxBps, rewardsAuthority: PublicKey, metadata: TokenMetadata): Promise<Minted>;
  /** Lands instructions that must fail, paid and signed by a wallet; answers the error of the first of them. */
  refusal(wallet: Keypair, instruction: TransactionInstruction, signers?: Keypair[]): Promise<unknown>;
  close(): Promise<void>;
}

const WALLET_LAMPORTS = 1_000_000_000;
/** Compute budget instructions stand in front. */
const FIRST_INSTRUCTION = 2;

/** Starts a local chain in memory; with the real programs of a folder, if given. */
export async function startMinting(programsDir?: string): Promise<MintingChain> {
  const localnet = await startLocalnet({ slotMs: 40, ...(programsDir !== undefined && { programsDir }) });
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const chain = await createTestChain(connection, async (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
  });
  const rentFor = async (bytes: number) => BigInt(await connection.getMinimumBalanceForRentExemption(bytes));
  return {
    chain,
    connection,
    rentFor,
    async standard(metadata) {
      const rentLamports = await rentFor(STANDARD_MINT_BYTES);
      return makeMint(chain, TOKEN_PROGRAM_ID, rentLamports, (parties) =>
        standardMintInstructions({ ...parties, metadata, rentLamports }),
      );
    },
    async reward(taxBps, rewardsAuthority, metadata) {
      const rentLamports = await rentFor(rewardMintBytes(metadata));
      return makeMint(chain, TOKEN_2022_PROGRAM_ID, rentLamports, (parties) =>
        rewardMintInstructions({ ...parties, taxBps, rewardsAuthority, metadata, rentLamports }),
      );
    },
    async refusal(wallet, instruction, signers = []) {
      const { err } = await chain.land(wallet, groupOf([instruction]), signers);
      return refusalOf(err);
    },
    close: () => localnet.close(),
  };
}

/** Funds a new launch wallet and lands what builds a mint of its own. */
export async function makeMint(
  chain: TestChain,
  program: PublicKey,
  rentLamports: bigint,
  build: (parties: { mint: PublicKey; launchWallet: PublicKey }) => TransactionInstruction[],
): Promise<Minted> {
  const wallet = Keypair.generate();
  const mint = Keypair.generate();
  await chain.fund(wallet.publicKey, WALLET_LAMPORTS);
  const instructions = build({ mint: mint.publicKey, launchWallet: wallet.publicKey });
  const landed = await chain.succeed(wallet, groupOf(instructions), [mint]);
  const account = getAssociatedTokenAddressSync(mint.publicKey, wallet.publicKey, false, program);
  return { wallet, mint, account, landed, rentLamports };
}

/** `{Custom: n}` or a built-in error's name, of the first instruction of a test's own. */
function refusalOf(err: unknown): unknown {
  if (typeof err !== 'object' || err === null || !('InstructionError' in err) || !Array.isArray(err.InstructionError)) {
    throw new Error(`not the refusal of an instruction: ${JSON.stringify(err)}`);
  }
  const [index, reason] = err.InstructionError as [unknown, unknown];
  if (index !== FIRST_INSTRUCTION) throw new Error(`another instruction failed: ${JSON.stringify(err)}`);
  return reason;
}

/** One line about a landed mint for the test's output. */
export function describeCost(what: string, { landed, rentLamports }: Minted): string {
  const units = landed.response.meta?.computeUnitsConsumed;
  return `${what}: ${landed.bytes} bytes, ${units} compute units (memo included), mint's rent ${rentLamports} lamports`;
}
