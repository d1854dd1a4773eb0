import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** See https://solana.com/docs/rpc. Unused fields are not validated; numbers beyond 2^53 are bigint. */
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Amount = Type.Union([Count, Type.BigInt()]);
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const withContext = <T extends TSchema>(value: T) => Type.Object({ context: Type.Object({ slot: Count }), value });

export const SlotShape = Compile(Count);
/** Unix seconds. */
export const BlockTimeShape = Compile(Type.Union([Type.Integer(), Type.Null()]));
export const LamportsShape = Compile(Count);
export const TextShape = Compile(Type.String({ minLength: 1 }));

export const BlockhashShape = Compile(
  withContext(Type.Object({ blockhash: Type.String({ minLength: 32, maxLength: 44 }), lastValidBlockHeight: Count })),
);

export const BlockhashValidShape = Compile(withContext(Type.Boolean()));

export const BlockShape = Compile(
  Type.Object({ blockhash: Type.String({ minLength: 32, maxLength: 44 }), blockHeight: Count }),
);

/** With the slot of its parent. */
export const LinkedBlockShape = Compile(
  Type.Object({ blockhash: Type.String({ minLength: 32, maxLength: 44 }), parentSlot: Count }),
);

export const BlockSlotsShape = Compile(Type.Array(Count));

export const PerformanceShape = Compile(
  Type.Array(Type.Object({ numSlots: Count, samplePeriodSecs: Type.Integer({ minimum: 1 }) })),
);

export const EpochInfoShape = Compile(Type.Object({ absoluteSlot: Count, blockHeight: Count }));
export const EpochShape = Compile(Type.Object({ epoch: Count }));

const CommitmentSchema = Type.Enum(['processed', 'confirmed', 'finalized']);

const StatusSchema = Type.Object({
  slot: Count,
  err: Type.Optional(Type.Unknown()),
  confirmations: orNull(Count),
  confirmationStatus: orNull(CommitmentSchema),
});
export type StatusAnswer = Static<typeof StatusSchema>;
export const StatusesShape = Compile(withContext(Type.Array(Type.Union([StatusSchema, Type.Null()]))));

export const BalanceShape = Compile(withContext(Amount));

export const AccountShape = Compile(withContext(Type.Union([Type.Null(), Type.Object({ lamports: Amount })])));

const AccountDataSchema = Type.Object({
  lamports: Amount,
  data: Type.Tuple([Type.String(), Type.Literal('base64')]),
});
export const AccountsShape = Compile(withContext(Type.Array(Type.Union([Type.Null(), AccountDataSchema]))));

const SignatureInfoSchema = Type.Object({
  signature: Type.String({ minLength: 64, maxLength: 88 }),
  slot: Count,
  err: Type.Optional(Type.Unknown()),
  memo: orNull(Type.String()),
  blockTime: orNull(Type.Integer()),
});
export type SignatureInfoAnswer = Static<typeof SignatureInfoSchema>;
export const SignaturesShape = Compile(Type.Array(SignatureInfoSchema));

const SimulationSchema = Type.Object({
  err: Type.Optional(Type.Unknown()),
  logs: orNull(Type.Array(Type.String())),
  unitsConsumed: orNull(Amount),
});
export type SimulationAnswer = Static<typeof SimulationSchema>;
export const SimulationShape = Compile(withContext(SimulationSchema));

/** jito-solana's `simulateBundle`, which several providers offer. */
export const BundleSimulationShape = Compile(
  withContext(
    Type.Object({
      summary: Type.Union([
        Type.Literal('succeeded'),
        Type.Object({
          failed: Type.Object({
            error: Type.Unknown(),
            tx_signature: orNull(Type.String()),
            txSignature: orNull(Type.String()),
          }),
        }),
      ]),
      transactionResults: Type.Array(SimulationSchema),
    }),
  ),
);

const TokenBalanceSchema = Type.Object({
  accountIndex: Count,
  mint: Type.String(),
  owner: Type.Optional(Type.String()),
  uiTokenAmount: Type.Object({ amount: Type.String({ pattern: '^[0-9]{1,20}$' }), decimals: Count }),
});
export type TokenBalanceAnswer = Static<typeof TokenBalanceSchema>;

const InnerInstructionsSchema = Type.Object({
  index: Count,
  instructions: Type.Array(Type.Object({ programIdIndex: Count, accounts: Type.Array(Count), data: Type.String() })),
});

const TransactionSchema = Type.Object({
  slot: Count,
  blockTime: orNull(Type.Integer()),
  transaction: Type.Tuple([Type.String(), Type.Literal('base64')]),
  meta: Type.Object({
    err: Type.Optional(Type.Unknown()),
    fee: Amount,
    preBalances: Type.Array(Amount),
    postBalances: Type.Array(Amount),
    preTokenBalances: orNull(Type.Array(TokenBalanceSchema)),
    postTokenBalances: orNull(Type.Array(TokenBalanceSchema)),
    logMessages: orNull(Type.Array(Type.String())),
    innerInstructions: orNull(Type.Array(InnerInstructionsSchema)),
    loadedAddresses: orNull(Type.Object({ writable: Type.Array(Type.String()), readonly: Type.Array(Type.String()) })),
  }),
});
export type TransactionAnswer = Static<typeof TransactionSchema>;
export const TransactionShape = Compile(Type.Union([TransactionSchema, Type.Null()]));
