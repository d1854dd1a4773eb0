import { type Connection, type ParsedInstruction, type PartiallyDecodedInstruction, PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import Value from 'typebox/value';

/** A mint that a transaction initialised. */
export interface MadeMint {
  readonly mint: PublicKey;
  readonly decimals: number;
  /** Minted by these transactions, raw units; what was burned since does not change it. */
  readonly mintedRaw: bigint;
}

const InitializeSchema = Type.Object({
  type: Type.Enum(['initializeMint', 'initializeMint2']),
  info: Type.Object({ mint: Type.String(), decimals: Type.Integer() }),
});

const MintToSchema = Type.Object({
  type: Type.Enum(['mintTo', 'mintToChecked']),
  info: Type.Object({
    mint: Type.String(),
    amount: Type.Optional(Type.String()),
    tokenAmount: Type.Optional(Type.Object({ amount: Type.String() })),
  }),
});

/**
 * Every mint that these transactions made, whether it still exists or not: the chain's own record of what was created, by
 * instructions and the instructions they called. Throws for a signature that the chain does not have.
 */
export async function mintsMadeBy(connection: Connection, signatures: readonly string[]): Promise<MadeMint[]> {
  const instructions = (
    await Promise.all(signatures.map((signature) => parsedInstructions(connection, signature)))
  ).flat();
  return instructions.flatMap((parsed) => {
    if (!Value.Check(InitializeSchema, parsed)) return [];
    const { mint, decimals } = parsed.info;
    return [{ mint: new PublicKey(mint), decimals, mintedRaw: mintedOf(instructions, mint) }];
  });
}

function mintedOf(instructions: readonly unknown[], mint: string): bigint {
  return instructions
    .flatMap((parsed) => (Value.Check(MintToSchema, parsed) ? [parsed.info] : []))
    .filter((info) => info.mint === mint)
    .reduce((sum, { amount, tokenAmount }) => sum + BigInt(amount ?? tokenAmount?.amount ?? 0), 0n);
}

async function parsedInstructions(connection: Connection, signature: string): Promise<unknown[]> {
  const landed = await connection.getParsedTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  if (!landed) throw new Error(`${signature} is not on the chain`);
  const inner = landed.meta?.innerInstructions?.flatMap(({ instructions }) => instructions) ?? [];
  return [...landed.transaction.message.instructions, ...inner].flatMap(parsedOf);
}

function parsedOf(instruction: ParsedInstruction | PartiallyDecodedInstruction): unknown[] {
  return 'parsed' in instruction ? [instruction.parsed as unknown] : [];
}
