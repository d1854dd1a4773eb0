import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { encodeAccount } from '../encoding/account-encoding.ts';
import type { Account, Address } from '../ledger/account.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import {
  AccountConfig,
  addressParam,
  commitmentOf,
  config,
  ContextConfig,
  ContextFields,
  param,
  type Params,
  signatureParam,
} from '../rpc/params.ts';
import { compileFilters, ProgramAccountFields } from '../rpc/program-accounts.ts';
import type { ChainView } from '../server/view.ts';
import type { Subscription } from './hub.ts';

/** `last` ends the subscription. */
export type Notify = (result: unknown, last?: boolean) => void;

/** @throws RpcError */
type Subscribe = (params: Params, view: ChainView, notify: Notify) => Subscription;

const LogsFilter = Compile(
  Type.Union([
    Type.Literal('all'),
    Type.Literal('allWithVotes'),
    Type.Object({ mentions: Type.Array(Type.String(), { minItems: 1, maxItems: 1 }) }),
  ]),
);
const ProgramConfig = Compile(Type.Object(ProgramAccountFields));
const SignatureConfig = Compile(
  Type.Object({
    ...ContextFields,
    enableReceivedNotification: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  }),
);

const inContext = (slot: number, value: unknown): unknown => ({ context: { slot }, value });

const subscribeSignature: Subscribe = (params, view, notify) => {
  const signature = signatureParam(params, 0);
  const commitment = commitmentOf(config(params, 1, SignatureConfig).commitment);
  const check = (): void => {
    const status = view.recentStatus(signature);
    const contextSlot = view.slotAt(commitment);
    if (status && status.slot <= contextSlot) notify(inContext(contextSlot, { err: status.err }), true);
  };
  // The response goes first, even if the transaction has landed.
  setImmediate(check);
  return { commitment, onTransactions: check, onAdvance: check };
};

function findMintAt(view: ChainView, slot: number): (mint: Address) => Account | null {
  return (mint) => view.ledger.read(mint, slot);
}

/** Closed, as subscribers see it. */
const NO_ACCOUNT: Account = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: '11111111111111111111111111111111',
  executable: false,
};

const subscribeAccount: Subscribe = (params, view, notify) => {
  const address = addressParam(params, 0);
  const format = config(params, 1, AccountConfig);
  const onAccounts = (slot: number, written: Iterable<Address>): void => {
    if (![...written].includes(address)) return;
    const account = view.ledger.read(address, slot) ?? NO_ACCOUNT;
    notify(inContext(slot, encodeAccount(account, format, findMintAt(view, slot))));
  };
  return { commitment: commitmentOf(format.commitment), onAccounts };
};

const subscribeProgram: Subscribe = (params, view, notify) => {
  const program = addressParam(params, 0);
  const request = config(params, 1, ProgramConfig);
  const matches = compileFilters(request.filters ?? []);
  const onAccounts = (slot: number, written: Iterable<Address>): void => {
    for (const pubkey of written) {
      const account = view.ledger.read(pubkey, slot);
      if (account?.owner !== program || !matches(account.data)) continue;
      notify(inContext(slot, { pubkey, account: encodeAccount(account, request, findMintAt(view, slot)) }));
    }
  };
  return { commitment: commitmentOf(request.commitment), onAccounts };
};

const subscribeLogs: Subscribe = (params, _view, notify) => {
  const filter = param(params, 0, LogsFilter);
  const mentioned = typeof filter === 'string' ? null : addressParam(filter.mentions, 0);
  const commitment = commitmentOf(config(params, 1, ContextConfig).commitment);
  const onTransactions = (records: readonly TransactionRecord[]): void => {
    for (const { slot, signature, err, logs, keys } of records) {
      if (mentioned === null || keys.includes(mentioned)) notify(inContext(slot, { signature, err, logs }));
    }
  };
  return { commitment, onTransactions };
};

const subscribeSlot: Subscribe = (_params, view, notify) => ({
  commitment: 'processed',
  onAdvance: (slot, parent) => notify({ slot, parent, root: view.slotAt('finalized') }),
});

const subscribeRoot: Subscribe = (_params, view, notify) => {
  let told = view.slotAt('finalized');
  const onAdvance = (): void => {
    const root = view.slotAt('finalized');
    if (root > told) notify(root);
    told = root;
  };
  return { commitment: 'finalized', onAdvance };
};

export const SUBSCRIPTIONS: ReadonlyMap<string, Subscribe> = new Map([
  ['signature', subscribeSignature],
  ['account', subscribeAccount],
  ['program', subscribeProgram],
  ['logs', subscribeLogs],
  ['slot', subscribeSlot],
  ['root', subscribeRoot],
]);
