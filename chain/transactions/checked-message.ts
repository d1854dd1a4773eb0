import { createHash, randomBytes } from 'node:crypto';
import type { MessageCompiledInstruction, PublicKey, TransactionInstruction, VersionedMessage } from '@solana/web3.js';
import type { MeantMessage, PlannedTransaction } from './compile.ts';

/** The compiled message differs from the plan; nothing is signed. */
export class MessageMismatchError extends Error {
  constructor(problem: string) {
    super(`the compiled message is not signed: ${problem}`);
    this.name = 'MessageMismatchError';
  }
}

/**
 * The only kind of message that signers accept. Its constructor is private, so no bytes reach a key before their
 * accounts were compared with the intended ones.
 */
export class CheckedMessage {
  readonly #bytes: Uint8Array;
  readonly loaded: readonly PublicKey[];

  private constructor(bytes: Uint8Array, loaded: readonly PublicKey[] = []) {
    this.#bytes = bytes;
    this.loaded = loaded;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /**
   * Resolves the message by a quorum's lookup tables and compares it with the plan: fee payer, blockhash, each
   * instruction's program, data, accounts and rights.
   *
   * @throws MessageMismatchError
   */
  static ofPlan({ message, meant }: PlannedTransaction): CheckedMessage {
    const loaded = loadedKeys(message, meant);
    assertMeant(message, [...message.staticAccountKeys, ...loaded], meant);
    return new CheckedMessage(message.serialize(), loaded);
  }

  /**
   * For a wallet's transaction, whose instructions the caller has compared. Requires only that no account comes from a
   * lookup table.
   *
   * @throws MessageMismatchError
   */
  static ofWallet(message: VersionedMessage): CheckedMessage {
    if (message.addressTableLookups.length > 0) {
      throw new MessageMismatchError('a wallet compiled it with a lookup table, whose accounts it does not spell out');
    }
    return new CheckedMessage(message.serialize());
  }

  /**
   * Bytes to test a signer with. They begin with 0xff, as no message does, and are random, so no old signature fits.
   */
  static probe(): CheckedMessage {
    const text = Buffer.from('slipway signer probe ');
    return new CheckedMessage(Buffer.concat([Buffer.from([0xff]), text, randomBytes(16)]));
  }
}

function assertMeant(message: VersionedMessage, keys: readonly PublicKey[], meant: MeantMessage): void {
  if (message.recentBlockhash !== meant.blockhash) {
    throw new MessageMismatchError(`its blockhash is ${message.recentBlockhash}, meant was ${meant.blockhash}`);
  }
  const { compiledInstructions } = message;
  if (compiledInstructions.length !== meant.instructions.length) {
    const counts = `${compiledInstructions.length} instructions, meant were ${meant.instructions.length}`;
    throw new MessageMismatchError(`it has ${counts}`);
  }
  meant.instructions.forEach((instruction, index) => {
    assertInstruction(`instruction ${index + 1}`, keys, compiledInstructions[index]!, instruction);
  });
  assertRights(message, keys, meant);
}

/** Lists keys in index order: writable, then read-only. */
function loadedKeys(message: VersionedMessage, { lookupTables }: MeantMessage): PublicKey[] {
  const lookups = message.addressTableLookups.map((lookup) => {
    const table = lookupTables.find(({ key }) => key.equals(lookup.accountKey));
    if (!table)
      throw new MessageMismatchError(`it uses lookup table ${lookup.accountKey.toBase58()}, which was not meant`);
    const at = (index: number) => {
      const address = table.state.addresses[index];
      if (address) return address;
      throw new MessageMismatchError(`lookup table ${table.key.toBase58()} has no address ${index}`);
    };
    return { writable: lookup.writableIndexes.map(at), readonly: lookup.readonlyIndexes.map(at) };
  });
  return [...lookups.flatMap(({ writable }) => writable), ...lookups.flatMap(({ readonly }) => readonly)];
}

function assertInstruction(
  what: string,
  keys: readonly PublicKey[],
  { programIdIndex, accountKeyIndexes, data }: MessageCompiledInstruction,
  meant: TransactionInstruction,
): void {
  assertKey(`${what} calls`, keys[programIdIndex], meant.programId);
  if (!Buffer.from(data).equals(meant.data)) {
    throw new MessageMismatchError(`${what} has data ${fingerprint(data)}, meant was ${fingerprint(meant.data)}`);
  }
  if (accountKeyIndexes.length !== meant.keys.length) {
    throw new MessageMismatchError(`${what} has ${accountKeyIndexes.length} accounts, meant were ${meant.keys.length}`);
  }
  meant.keys.forEach(({ pubkey }, place) => {
    assertKey(`account ${place + 1} of ${what} is`, keys[accountKeyIndexes[place]!], pubkey);
  });
}

function assertKey(what: string, actual: PublicKey | undefined, meant: PublicKey): void {
  if (actual?.equals(meant)) return;
  throw new MessageMismatchError(`${what} ${actual?.toBase58() ?? 'no account'}, meant was ${meant.toBase58()}`);
}

/**
 * Requires that an account signs, or is writable, exactly if it pays the fee or an instruction says so. A signature
 * covers all instructions, so a right too much could be used by any of them.
 */
function assertRights(
  message: VersionedMessage,
  keys: readonly PublicKey[],
  { payer, instructions }: MeantMessage,
): void {
  assertKey('its fee payer is', keys[0], payer);
  const metas = instructions.flatMap((instruction) => instruction.keys);
  const addressesOf = (chosen: typeof metas) => new Set([payer, ...chosen.map(({ pubkey }) => pubkey)].map(String));
  const signers = addressesOf(metas.filter(({ isSigner }) => isSigner));
  const writable = addressesOf(metas.filter(({ isWritable }) => isWritable));
  keys.forEach((key, index) => {
    const address = key.toBase58();
    if (message.isAccountSigner(index) !== signers.has(address)) {
      throw new MessageMismatchError(
        `${address} ${signers.has(address) ? 'does not sign' : 'signs, which was not meant'}`,
      );
    }
    if (message.isAccountWritable(index) !== writable.has(address)) {
      throw new MessageMismatchError(
        `${address} is ${writable.has(address) ? 'read-only' : 'writable'}, which was not meant`,
      );
    }
  });
}

function fingerprint(data: Uint8Array): string {
  return `${data.length} bytes, sha256 ${createHash('sha256').update(data).digest('hex').slice(0, 16)}`;
}
