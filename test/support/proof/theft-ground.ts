import { randomUUID } from 'node:crypto';
import {
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createBurnCheckedInstruction,
  createInitializeMint2Instruction,
  createInitializeMultisigInstruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  ExtensionType,
  getMintLen,
  MULTISIG_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Keypair,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  type VersionedTransaction,
} from '@solana/web3.js';
import { createStamp } from '../../../chain/lanes/stamp.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';
import { sealWork } from '../../../chain/transactions/seal.ts';
import { signPurposed } from '../../../chain/transactions/purposed.ts';
import type { AccountState } from '../../../client/verify/chain.ts';
import { createRpcChain } from '../../../client/verify/rpc-chain.ts';
import { Engine } from '../../../dev/localnet/engine/engine.ts';
import { rewardPurpose } from '../../../domain/reward/purpose.ts';
import { startChain } from '../dev/localnet-chain.ts';
import { accountOf } from '../exchange/test-chain.ts';
import { makeTestLane, testSecret } from '../lanes/stamps.ts';

export type TheftGround = Awaited<ReturnType<typeof startTheftGround>>;

/** A transaction that landed, as a row of a statement names it. */
export interface Landing {
  readonly signature: string;
  readonly slot: number;
}

/** Who may do what with a coin's tax. */
export interface Tax {
  readonly bps: number;
  readonly withdrawAuthority: PublicKey;
  /** May change the tax; default: no wallet may. */
  readonly authority?: PublicKey;
}

/** Version 1, which asks for no signatures. */
const OLD_MEMO_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo';

const [DECIMALS, SUPPLY, MOST_TAX] = [6, 10n ** 15n, 10n ** 14n];

/** Slots after which nothing counts as too young to be booked. */
const OLD_SLOTS = 1_600;

/** A local chain on which the keys of a platform move tokens, honestly or not. Slots stand still between transactions. */
export async function startTheftGround() {
  const chain = await startChain({ slotsToFinalize: 1 });
  const { node, wallet: bank } = chain;
  const { rpcUrl, control, genesisHash } = node;
  const newWallet = () => chain.fundedWallet();

  /** Lands instructions; throws if they fail. */
  async function land(
    payer: Keypair,
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[] = [],
  ): Promise<Landing> {
    const others = [...new Set(signers)].filter((signer) => signer !== payer);
    const signature = await chain.run([...instructions], { payer, signers: others });
    return landed(signature);
  }

  async function landed(signature: string): Promise<Landing> {
    const { slot, meta } = await chain.transaction(signature);
    if (meta.err !== null) throw new Error(`${JSON.stringify(meta.err)}\n${meta.logMessages.join('\n')}`);
    return { signature, slot };
  }

  /** Makes a token; the bank has the whole supply. */
  async function makeToken(tax?: Tax, key = Keypair.generate()): Promise<TokenInfo> {
    const token = {
      mint: key.publicKey,
      decimals: DECIMALS,
      tokenProgram: tax ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID,
    };
    await land(bank, mintInstructions(token, { payer: bank.publicKey, owner: bank.publicKey, ...(tax && { tax }) }), [
      key,
    ]);
    return token;
  }

  /** Sends tokens of the bank. */
  const give = (token: TokenInfo, owner: PublicKey, raw: bigint) =>
    land(bank, pay(bank.publicKey, token, bank.publicKey, owner, raw));

  /** A stranger names an account in a transaction without a token program: no balance of it is shown. */
  const dust = (account: PublicKey) =>
    land(bank, [SystemProgram.transfer({ fromPubkey: bank.publicKey, toPubkey: account, lamports: 1 })]);

  /** Makes a wallet's address a multisignature of a member: no transaction shows its own signature any more. */
  async function makeMultisig(wallet: Keypair, member: PublicKey, programId: PublicKey): Promise<Landing> {
    const lamports = await chain.balance(wallet.publicKey);
    const made = { newAccountPubkey: wallet.publicKey, lamports: 10_000_000, space: MULTISIG_SIZE, programId };
    return land(
      bank,
      [
        SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: bank.publicKey, lamports }),
        SystemProgram.createAccount({ fromPubkey: bank.publicKey, ...made }),
        createInitializeMultisigInstruction(wallet.publicKey, [member], 1, programId),
      ],
      [wallet],
    );
  }

  /** Puts an account on the chain of a program that cannot be had. */
  const setAccount = (address: PublicKey, { program, data }: AccountState): void =>
    control.setAccounts([[address.toBase58(), { lamports: 10_000_000n, data, owner: program, executable: false }]]);

  /**
   * Puts the old memo program where a program is whose code cannot be had: it takes any accounts and moves nothing. The
   * pool's own key moves what the other program would.
   */
  function standInFor(address: string): void {
    const program = new Engine().account(OLD_MEMO_PROGRAM);
    if (!program) throw new Error(`the engine has no ${OLD_MEMO_PROGRAM}`);
    control.setAccounts([[address, program]]);
  }

  /** Seals documents by a wallet, each as its lane's next step. */
  async function createSealer(wallet: Keypair, lane = 0) {
    const own = await makeTestLane(rpcUrl, wallet.publicKey, lane);
    const seal = async (root: string, about: PublicKey): Promise<Landing> => {
      const supply = await chain.call<{ value: { amount: string } }>('getTokenSupply', [own.mint.toBase58()]);
      const { blockhash } = await chain.latestBlockhash();
      const stamp = createStamp({
        lane: own,
        signer: wallet,
        secret: testSecret(),
        purpose: rewardPurpose(randomUUID(), 1),
        from: BigInt(supply.value.amount),
        blockhash,
      });
      const work = sealWork(wallet.publicKey, { root: Buffer.from(root, 'hex'), about });
      const { wire, signature } = await signPurposed({ stamp, payer: wallet, wallet, computeUnitPrice: 1n }, work);
      const params = [Buffer.from(wire).toString('base64'), { encoding: 'base64', skipPreflight: true }];
      await chain.call('sendTransaction', params);
      chain.advance(1);
      return landed(signature);
    };
    return { seal, mint: own.mint };
  }

  return {
    ...chain,
    bank,
    control,
    genesisHash,
    newWallet,
    land,
    /** Sends into the open block. */
    send: (transaction: VersionedTransaction) => chain.land(transaction),
    landed,
    makeToken,
    give,
    dust,
    makeMultisig,
    setAccount,
    standInFor,
    createSealer,
    /** All that landed is final, and old enough to be booked. */
    age: () => {
      control.skipNextSlots(OLD_SLOTS);
      chain.advance(3);
    },
    /** The chain as a stranger reads it, by two endpoints. */
    strangers: () => createRpcChain({ urls: [rpcUrl, `${rpcUrl}/rpc/second`] }),
    close: () => node.close(),
  };
}

/** Opens the recipient's account where it is missing, and moves tokens of the owner's. */
export function pay(
  payer: PublicKey,
  token: TokenInfo,
  owner: PublicKey,
  to: PublicKey,
  raw: bigint,
): TransactionInstruction[] {
  return [openAccount(payer, token, to), move(token, owner, to, raw)];
}

export function openAccount(payer: PublicKey, token: TokenInfo, owner: PublicKey): TransactionInstruction {
  const { mint, tokenProgram } = token;
  return createAssociatedTokenAccountIdempotentInstruction(payer, accountOf(token, owner), owner, mint, tokenProgram);
}

/** Moves tokens between associated accounts that exist; `by` signs. */
export function move(
  token: TokenInfo,
  owner: PublicKey,
  to: PublicKey,
  raw: bigint,
  by: PublicKey = owner,
): TransactionInstruction {
  const { mint, decimals, tokenProgram } = token;
  const [from, target] = [accountOf(token, owner), accountOf(token, to)];
  return createTransferCheckedInstruction(from, mint, target, by, raw, decimals, [], tokenProgram);
}

export function burn(token: TokenInfo, owner: PublicKey, raw: bigint): TransactionInstruction {
  const { mint, decimals, tokenProgram } = token;
  return createBurnCheckedInstruction(accountOf(token, owner), mint, owner, raw, decimals, [], tokenProgram);
}

export interface MintFacts {
  readonly payer: PublicKey;
  /** Gets the supply. */
  readonly owner: PublicKey;
  readonly tax?: Tax;
}

/** Makes a mint and its whole supply. */
export function mintInstructions(token: TokenInfo, { payer, owner, tax }: MintFacts) {
  const { mint, decimals, tokenProgram } = token;
  const space = getMintLen(tax ? [ExtensionType.TransferFeeConfig] : []);
  const own = { fromPubkey: payer, newAccountPubkey: mint, lamports: 10_000_000, space, programId: tokenProgram };
  const taxed = tax
    ? [
        createInitializeTransferFeeConfigInstruction(
          mint,
          tax.authority ?? null,
          tax.withdrawAuthority,
          tax.bps,
          MOST_TAX,
          tokenProgram,
        ),
      ]
    : [];
  return [
    SystemProgram.createAccount(own),
    ...taxed,
    createInitializeMint2Instruction(mint, decimals, payer, null, tokenProgram),
    openAccount(payer, token, owner),
    createMintToInstruction(mint, accountOf(token, owner), payer, SUPPLY, [], tokenProgram),
    createSetAuthorityInstruction(mint, payer, AuthorityType.MintTokens, null, [], tokenProgram),
  ];
}
