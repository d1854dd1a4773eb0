import { type Connection, type ParsedInstruction, type PartiallyDecodedInstruction, PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import Value from 'typebox/value';

/** A mint that a transaction initialised. */
export interface MadeMint {
  readonly mint: PublicKey;
  readonly decimals: number;
}

const InitializeSchema = Type.Object({
  type: Type.Enum(['initializeMint', 'initializeMint2']),
  info: Type.Object({ mint: Type.String(), decimals: Type.Integer() }),
});

/**
 * Every mint that these transactions made, whether it still exists or not: the chain's own record of what was created, by
 * instructions and the instructions they called. Throws for a signature that the chain does not have.
 */
export async function mintsMadeBy(connection: Connection, signatures: readonly string[]): Promise<MadeMint[]> {
  const made = await Promise.all(signatures.map((signature) => mintsOf(connection, signature)));
  return made.flat();
}

async function mintsOf(connection: Connection, signature: string): Promise<MadeMint[]> {
  const landed = await connection.getParsedTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  if (!landed) throw new Error(`${signature} is not on the chain`);
  const inner = landed.meta?.innerInstructions?.flatMap(({ instructions }) => instructions) ?? [];
  return [...landed.transaction.message.instructions, ...inner].flatMap(madeBy);
}

function madeBy(instruction: ParsedInstruction | PartiallyDecodedInstruction): MadeMint[] {
  if (!('parsed' in instruction)) return [];
  const parsed: unknown = instruction.parsed;
  if (!Value.Check(InitializeSchema, parsed)) return [];
  return [{ mint: new PublicKey(parsed.info.mint), decimals: parsed.info.decimals }];
}
