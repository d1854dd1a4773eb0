import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { fromBase58 } from '../encoding/base58.ts';
import type { Account, Address } from '../ledger/account.ts';
import type { RpcMethods } from './context.ts';
import { addressParam, config, param } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const Endpoint = Type.Optional(Type.String({ minLength: 1 }));
const Count = Type.Integer({ minimum: 0 });
/** A decimal string where a number is not exact. */
const Lamports = Type.Union([Count, Type.String({ pattern: '^[0-9]{1,19}$' })]);

const CountParams = Compile(Type.Object({ count: Count, endpoint: Endpoint }));
const SkipParams = Compile(
  Type.Object({
    reland: Type.Optional(Type.Array(Count)),
    slots: Type.Optional(Type.Integer({ minimum: 1 })),
    fromSlot: Type.Optional(Count),
  }),
);
const SlotMsParams = Compile(Type.Object({ slotMs: Count }));
const FrozenParams = Compile(Type.Object({ address: Type.String(), isFrozen: Type.Boolean() }));
const FundParams = Compile(Type.Object({ wallet: Type.String(), lamports: Lamports }));
/** Lamports or raw units. */
const Units = Type.String({ pattern: '^[0-9]{1,20}$' });
const GiveParams = Compile(
  Type.Object({
    wallet: Type.String(),
    lamports: Units,
    tokens: Type.Array(Type.Object({ mint: Type.String(), amount: Units }), { maxItems: 8 }),
  }),
);
const LagParams = Compile(Type.Object({ slots: Count, endpoint: Endpoint }));
const StallParams = Compile(
  Type.Object({
    mode: Type.Union([Type.Literal('hang'), Type.Literal('error')]),
    ms: Type.Optional(Type.Integer({ minimum: 0 })),
    endpoint: Endpoint,
  }),
);
const HistoryParams = Compile(Type.Object({ beforeSlot: Count, endpoint: Endpoint }));
const CutParams = Compile(Type.Object({ ms: Type.Optional(Count) }));
const StreamLagParams = Compile(Type.Object({ ms: Count }));
const LostParams = Compile(
  Type.Object({
    kind: Type.Union([
      Type.Literal('transaction'),
      Type.Literal('account'),
      Type.Literal('slot'),
      Type.Literal('blockMeta'),
    ]),
    count: Count,
  }),
);
const EndpointParams = Compile(Type.Object({ endpoint: Endpoint }));
const AccountsParams = Compile(
  Type.Object({
    accounts: Type.Array(
      Type.Object({
        address: Type.String(),
        account: Type.Union([
          Type.Null(),
          Type.Object({
            lamports: Lamports,
            data: Type.String(),
            owner: Type.String(),
            executable: Type.Optional(Type.Boolean()),
          }),
        ]),
      }),
    ),
  }),
);

type AccountEntry = Type.Static<ReturnType<(typeof AccountsParams)['Type']>>['accounts'][number];

function accountEntry({ address, account }: AccountEntry): [Address, Account | null] {
  const key = addressParam([address], 0);
  if (!account) return [key, null];
  const lamports = BigInt(account.lamports);
  if (lamports === 0n) throw invalidParams(`account ${address} has no lamports; null removes an account`);
  if (fromBase58(account.owner).length !== 32) throw invalidParams(`owner ${account.owner} is not an address`);
  const data = Buffer.from(account.data, 'base64');
  return [key, { lamports, data, owner: account.owner, executable: account.executable === true }];
}

/** Methods for tests and the desk; the prefix marks them as foreign to Solana nodes. */
export const controlMethods: RpcMethods = {
  localnet_skipSlot: (params, { control }) => control.skipSlot(config(params, 0, SkipParams)),
  localnet_skipNextSlots: (params, { control }) => control.skipNextSlots(param(params, 0, CountParams).count),
  localnet_expireBlockhashes: (_params, { control }) => control.expireBlockhashes(),
  localnet_advanceSlots: (params, { control }) => control.advanceSlots(param(params, 0, CountParams).count),
  localnet_setSlotMs: (params, { control }) => control.setSlotMs(param(params, 0, SlotMsParams).slotMs),
  localnet_setAccounts: (params, { control }) => {
    control.setAccounts(param(params, 0, AccountsParams).accounts.map(accountEntry));
  },
  localnet_setFrozen: (params, { control }) => {
    const { address, isFrozen } = param(params, 0, FrozenParams);
    control.setFrozen(addressParam([address], 0), isFrozen);
  },
  localnet_fund: (params, { control }) => {
    const { wallet, lamports } = param(params, 0, FundParams);
    return control.fund(addressParam([wallet], 0), BigInt(lamports));
  },
  localnet_faucet: (_params, { control }) => control.faucet,
  localnet_give: (params, { control }) => {
    const { wallet, lamports, tokens } = param(params, 0, GiveParams);
    const mintings = tokens.map(({ mint, amount }) => ({ mint: addressParam([mint], 0), amount: BigInt(amount) }));
    return control.give(addressParam([wallet], 0), BigInt(lamports), mintings);
  },
  localnet_lag: (params, { control }) => {
    const { slots, endpoint } = param(params, 0, LagParams);
    control.lag(slots, endpoint);
  },
  localnet_stall: (params, { control }) => {
    const { mode, ms, endpoint } = param(params, 0, StallParams);
    control.stall(mode, ms, endpoint);
  },
  localnet_stale: (params, { control }) => control.stale(config(params, 0, EndpointParams).endpoint),
  localnet_loseHistory: (params, { control }) => {
    const { beforeSlot, endpoint } = param(params, 0, HistoryParams);
    control.loseHistory(beforeSlot, endpoint);
  },
  localnet_dropTransactions: (params, { control }) => {
    const { count, endpoint } = param(params, 0, CountParams);
    control.dropTransactions(count, endpoint);
  },
  localnet_cutStream: (params, { control }) => control.stream.cut(config(params, 0, CutParams).ms),
  localnet_lagStream: (params, { control }) => {
    control.stream.lagMs = param(params, 0, StreamLagParams).ms;
  },
  localnet_loseUpdates: (params, { control }) => {
    const { kind, count } = param(params, 0, LostParams);
    control.stream.drop(kind, count);
  },
  localnet_forgetStream: (params, { control }) => {
    control.stream.replayFrom = param(params, 0, HistoryParams).beforeSlot;
  },
  localnet_clearStream: (_params, { control }) => control.stream.clear(),
  localnet_clear: (params, { control }) => control.clear(config(params, 0, EndpointParams).endpoint),
};
