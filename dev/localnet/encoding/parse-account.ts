import { type Account, type Address, LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '../ledger/account.ts';
import { parseLookupTable } from '../ledger/lookup-table.ts';
import { parseNonce } from '../ledger/nonce.ts';
import { isTokenProgram } from '../ledger/token-balance.ts';
import { parseTokenProgramAccount } from './parse-token.ts';
import type { ParsedData } from './parsed-data.ts';

function parseNonceAccount(account: Account): ParsedData | null {
  const state = parseNonce(account);
  if (!state) return null;
  const info = {
    authority: state.authority,
    blockhash: state.nonce,
    feeCalculator: { lamportsPerSignature: state.lamportsPerSignature.toString() },
  };
  return { program: 'nonce', parsed: { type: 'initialized', info }, space: account.data.length };
}

function parseTable(account: Account): ParsedData | null {
  const table = parseLookupTable(account.data);
  if (!table) return null;
  const info = {
    addresses: table.addresses,
    authority: table.authority ?? undefined,
    deactivationSlot: table.deactivationSlot.toString(),
    lastExtendedSlot: table.lastExtendedSlot.toString(),
    lastExtendedSlotStartIndex: table.lastExtendedStartIndex,
  };
  return { program: 'address-lookup-table', parsed: { type: 'lookupTable', info }, space: account.data.length };
}

/** Null without a parser: then base64. */
export function parseAccount(account: Account, readMint: (mint: Address) => Account | null): ParsedData | null {
  if (isTokenProgram(account.owner)) return parseTokenProgramAccount(account, readMint);
  if (account.owner === SYSTEM_PROGRAM) return parseNonceAccount(account);
  return account.owner === LOOKUP_TABLE_PROGRAM ? parseTable(account) : null;
}
