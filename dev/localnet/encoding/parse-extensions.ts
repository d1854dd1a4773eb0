import type { Address } from '../ledger/account.ts';
import { ByteReader } from '../ledger/byte-reader.ts';
import { TOKEN_ACCOUNT_BYTES } from '../ledger/token-balance.ts';
import { toBase58 } from './base58.ts';

export interface ParsedExtension {
  readonly extension: string;
  readonly state?: unknown;
}

/** 32 zero bytes mean "none". */
function optionalKey(reader: ByteReader): Address | null {
  const bytes = reader.take(32);
  return bytes.every((byte) => byte === 0) ? null : toBase58(bytes);
}

function transferFee(reader: ByteReader): unknown {
  const [epoch, maximumFee, transferFeeBasisPoints] = [reader.u64(), reader.u64(), reader.u16()];
  return { epoch, maximumFee, transferFeeBasisPoints };
}

function transferFeeConfig(reader: ByteReader): unknown {
  return {
    transferFeeConfigAuthority: optionalKey(reader),
    withdrawWithheldAuthority: optionalKey(reader),
    withheldAmount: reader.u64(),
    olderTransferFee: transferFee(reader),
    newerTransferFee: transferFee(reader),
  };
}

function text(reader: ByteReader): string {
  return Buffer.from(reader.take(reader.u32())).toString('utf8');
}

function tokenMetadata(reader: ByteReader): unknown {
  const head = { updateAuthority: optionalKey(reader), mint: toBase58(reader.take(32)) };
  const body = { name: text(reader), symbol: text(reader), uri: text(reader) };
  const additionalMetadata = Array.from({ length: reader.u32() }, () => [text(reader), text(reader)]);
  return { ...head, ...body, additionalMetadata };
}

function interestBearing(reader: ByteReader): unknown {
  return {
    rateAuthority: optionalKey(reader),
    initializationTimestamp: reader.i64(),
    preUpdateAverageRate: reader.i16(),
    lastUpdateTimestamp: reader.i64(),
    currentRate: reader.i16(),
  };
}

function scaledUiAmount(reader: ByteReader): unknown {
  return {
    authority: optionalKey(reader),
    multiplier: String(reader.f64()),
    newMultiplierEffectiveTimestamp: reader.i64(),
    newMultiplier: String(reader.f64()),
  };
}

/** Extensions by type number (`spl_token_2022::extension::ExtensionType`); the rest has only a name. */
const EXTENSIONS: Readonly<Record<number, readonly [string, ((reader: ByteReader) => unknown)?]>> = {
  1: ['transferFeeConfig', transferFeeConfig],
  2: ['transferFeeAmount', (reader) => ({ withheldAmount: reader.u64() })],
  3: ['mintCloseAuthority', (reader) => ({ closeAuthority: optionalKey(reader) })],
  4: ['confidentialTransferMint'],
  5: ['confidentialTransferAccount'],
  6: ['defaultAccountState', (reader) => ({ accountState: ['uninitialized', 'initialized', 'frozen'][reader.u8()] })],
  7: ['immutableOwner'],
  8: ['memoTransfer', (reader) => ({ requireIncomingTransferMemos: reader.u8() === 1 })],
  9: ['nonTransferable'],
  10: ['interestBearingConfig', interestBearing],
  11: ['cpiGuard', (reader) => ({ lockCpi: reader.u8() === 1 })],
  12: ['permanentDelegate', (reader) => ({ delegate: optionalKey(reader) })],
  13: ['nonTransferableAccount'],
  14: ['transferHook', (reader) => ({ authority: optionalKey(reader), programId: optionalKey(reader) })],
  15: ['transferHookAccount', (reader) => ({ transferring: reader.u8() === 1 })],
  16: ['confidentialTransferFeeConfig'],
  17: ['confidentialTransferFeeAmount'],
  18: ['metadataPointer', (reader) => ({ authority: optionalKey(reader), metadataAddress: optionalKey(reader) })],
  19: ['tokenMetadata', tokenMetadata],
  20: ['groupPointer', (reader) => ({ authority: optionalKey(reader), groupAddress: optionalKey(reader) })],
  21: ['tokenGroup'],
  22: ['groupMemberPointer', (reader) => ({ authority: optionalKey(reader), memberAddress: optionalKey(reader) })],
  23: ['tokenGroupMember'],
  24: ['confidentialMintBurn'],
  25: ['scaledUiAmountConfig', scaledUiAmount],
  26: ['pausableConfig', (reader) => ({ authority: optionalKey(reader), paused: reader.u8() === 1 })],
  27: ['pausableAccount'],
};

/** Entries after the account type byte. */
export function parseExtensions(data: Uint8Array): ParsedExtension[] {
  const reader = new ByteReader(data.subarray(TOKEN_ACCOUNT_BYTES + 1));
  const found: ParsedExtension[] = [];
  while (reader.remaining >= 4) {
    const [type, length] = [reader.u16(), reader.u16()];
    if (type === 0) break;
    const value = reader.take(length);
    const [extension, parse] = EXTENSIONS[type] ?? ['unparseableExtension'];
    found.push(parse ? { extension, state: parse(new ByteReader(value)) } : { extension });
  }
  return found;
}
