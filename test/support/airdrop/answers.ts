import Type from 'typebox';

/** An airdrop as it was agreed: in the answer of prepare, in the ledger, and with its token. */
export const AirdropTermsAnswer = Type.Object({
  recipients: Type.Integer(),
  feeLamports: Type.Integer(),
  delivery: Type.String(),
  percent: Type.Number(),
  tier: Type.String(),
  tokens: Type.Number(),
  tokensRaw: Type.String(),
  source: Type.String(),
  snapshotSlot: Type.Integer(),
});

/** Of prepare's answer what an airdrop shows in. */
export const PreparedAnswer = Type.Object({
  airdrop: AirdropTermsAnswer,
  payment: Type.Object({
    lamports: Type.Integer(),
    items: Type.Array(Type.Object({ item: Type.String(), lamports: Type.Integer() })),
  }),
});

/** `data` of `GET /tokens/{mint}/airdrop`. */
export const AirdropAnswer = Type.Object({
  mint: Type.String(),
  airdrop: Type.Union([
    Type.Null(),
    Type.Object({
      recipients: Type.Integer(),
      percent: Type.Number(),
      tier: Type.String(),
      source: Type.String(),
      recipientsHash: Type.String(),
      seal: Type.Union([
        Type.Null(),
        Type.Object({ root: Type.String(), signature: Type.Union([Type.Null(), Type.String()]) }),
      ]),
      recipientsUri: Type.String(),
      tokens: Type.Number(),
      delivery: Type.Object({
        status: Type.String(),
        deliveredRecipients: Type.Integer(),
        deliveredTokens: Type.Number(),
      }),
    }),
  ]),
});
