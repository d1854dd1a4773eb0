import type { Execution, InnerInstruction } from '../engine/engine.ts';
import type { LoadedAddresses } from '../ledger/message-keys.ts';
import type { Run } from '../ledger/sandbox.ts';
import type { TokenBalance } from '../ledger/token-balance.ts';
import { toBase58 } from './base58.ts';
import { uiTokenAmount } from './token-amount.ts';

export function returnDataJson(returnData: Execution['returnData']): unknown {
  if (!returnData) return null;
  return { programId: returnData.programId, data: [Buffer.from(returnData.data).toString('base64'), 'base64'] };
}

export function loadedAddressesJson(loaded: LoadedAddresses): unknown {
  return { readonly: loaded.readonly, writable: loaded.writable };
}

function innerInstructionJson({ programIdIndex, accounts, data, stackHeight }: InnerInstruction): unknown {
  return { programIdIndex, accounts, data: toBase58(data), stackHeight };
}

export function innerInstructionsJson(inner: readonly (readonly InnerInstruction[])[]): unknown[] {
  return inner
    .map((instructions, index) => ({ index, instructions: instructions.map(innerInstructionJson) }))
    .filter(({ instructions }) => instructions.length > 0);
}

export function tokenBalancesJson(balances: readonly TokenBalance[]): unknown[] {
  return balances.map(({ accountIndex, mint, owner, programId, amount, decimals }) => ({
    accountIndex,
    mint,
    owner,
    programId,
    uiTokenAmount: uiTokenAmount(amount, decimals),
  }));
}

export function balancesJson(run: Run): Record<string, unknown> {
  return {
    preBalances: run.before.map((account) => account?.lamports ?? 0n),
    postBalances: run.after.map((account) => account?.lamports ?? 0n),
    preTokenBalances: tokenBalancesJson(run.tokensBefore),
    postTokenBalances: tokenBalancesJson(run.tokensAfter),
  };
}
