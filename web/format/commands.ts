import { WINDOW_SLOTS } from '../../client/verify/round/draw.ts';

/** The reader fills in an endpoint of their own choice. */
const RPC = '--rpc $RPC_URL';

export interface SealedRound {
  readonly mint: string;
  readonly number: number;
  readonly documentUrl: string;
  /** Null for a round that only the chain showed. */
  readonly windowSlots: number | null;
}

export function verifyRoundCommand({ mint, number, documentUrl, windowSlots }: SealedRound, owner?: string): string {
  const window = windowSlots === null || windowSlots === WINDOW_SLOTS ? '' : ` --window-slots ${windowSlots}`;
  const who = owner === undefined ? '' : ` --owner ${owner}`;
  return `slipway verify round ${mint} ${number} --document ${documentUrl}${who}${window} ${RPC}`;
}

export function verifyStatementCommand(mint: string, apiUrl: string): string {
  return `slipway verify statement ${mint} --url ${apiUrl} ${RPC}`;
}

export function verifyAirdropCommand(mint: string, documentUrl: string): string {
  return `slipway verify airdrop ${mint} --document ${documentUrl} ${RPC}`;
}

export function verifyReceiptCommand(file: string, apiUrl: string): string {
  return `slipway verify receipt ${file} --url ${apiUrl} ${RPC}`;
}

export function verifyLaunchCommand(paymentSignature: string, apiUrl: string): string {
  return `slipway verify launch ${paymentSignature} --url ${apiUrl} ${RPC}`;
}

export function verifyWalletsCommand(apiUrl: string): string {
  return `slipway verify wallets --url ${apiUrl} --state wallets.json ${RPC}`;
}

export function verifyBudgetCommand(quoteMint: string, budget: 'buyback' | 'flywheel', apiUrl: string): string {
  return `slipway verify budget ${quoteMint} ${budget} --url ${apiUrl} ${RPC}`;
}
