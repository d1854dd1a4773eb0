import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RpcEndpoint } from '../../chain/rpc/json-rpc.ts';

const Text = Compile(Type.String());
const Slot = Compile(Type.Integer());
const Anything = Compile(Type.Unknown());
const Identity = Compile(Type.Object({ identity: Type.String() }));
const Validity = Compile(Type.Object({ value: Type.Boolean() }));
const Accounts = Compile(Type.Object({ value: Type.Array(Type.Union([Type.Null(), Type.Object({})])) }));
const Statuses = Compile(
  Type.Object({
    value: Type.Array(
      Type.Union([
        Type.Null(),
        Type.Object({
          slot: Type.Integer(),
          confirmationStatus: Type.Optional(Type.Union([Type.Null(), Type.String()])),
        }),
      ]),
    ),
  }),
);

export interface SeenTransaction {
  readonly slot: number;
  readonly finalized: boolean;
}

/** Calls reject when it does not respond. */
export interface EngineChain {
  /** Lands all in one slot in order, or none. Rejects with the chain's reason. */
  sendBundle(wires: readonly Uint8Array[]): Promise<void>;
  sendTransaction(wire: Uint8Array): Promise<void>;
  /** Null for one never seen. */
  seen(signatures: readonly string[]): Promise<(SeenTransaction | null)[]>;
  isBlockhashValid(blockhash: string): Promise<boolean>;
  slot(): Promise<number>;
  identity(): Promise<string>;
  /** A tip below the rent minimum cannot be paid into an empty account. */
  ensureFunded(addresses: readonly string[]): Promise<void>;
}

const TIP_ACCOUNT_LAMPORTS = 1_000_000_000;
const FUNDING_POLLS = 50;
const FUNDING_POLL_MS = 100;

export function createEngineChain(rpc: RpcEndpoint): EngineChain {
  const missing = async (addresses: readonly string[]) => {
    const accounts = await rpc.call(
      'getMultipleAccounts',
      [addresses, { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: 0 } }],
      Accounts,
    );
    return addresses.filter((_, index) => accounts.value[index] === null);
  };
  return {
    async sendBundle(wires) {
      await rpc.call('sendBundle', [wires.map(toBase64), { encoding: 'base64' }], Anything);
    },
    async sendTransaction(wire) {
      await rpc.call('sendTransaction', [toBase64(wire), { encoding: 'base64', skipPreflight: true }], Text);
    },
    async seen(signatures) {
      const { value } = await rpc.call('getSignatureStatuses', [signatures], Statuses);
      return value.map((one) => one && { slot: one.slot, finalized: one.confirmationStatus === 'finalized' });
    },
    async isBlockhashValid(blockhash) {
      return (await rpc.call('isBlockhashValid', [blockhash, { commitment: 'processed' }], Validity)).value;
    },
    slot: () => rpc.call('getSlot', [{ commitment: 'processed' }], Slot),
    identity: async () => (await rpc.call('getIdentity', [], Identity)).identity,
    async ensureFunded(addresses) {
      let waiting = await missing(addresses);
      for (const address of waiting) await rpc.call('requestAirdrop', [address, TIP_ACCOUNT_LAMPORTS], Text);
      for (let poll = 0; waiting.length > 0; poll += 1) {
        if (poll === FUNDING_POLLS) throw new Error(`tip account ${waiting[0]} got no balance at ${rpc.name}`);
        await sleep(FUNDING_POLL_MS);
        waiting = await missing(waiting);
      }
    },
  };
}

function toBase64(wire: Uint8Array): string {
  return Buffer.from(wire).toString('base64');
}
