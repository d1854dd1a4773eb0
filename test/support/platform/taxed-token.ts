import {
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import * as pairs from '../../../db/pairs.ts';
import * as prices from '../../../db/prices/prices.ts';
import { land } from '../claim/claim-market.ts';
import type { Platform } from './platform.ts';

const DECIMALS = 6;

/** Makes and lists a quote token whose transfers are taxed with 250 bps, worth a dollar; the faucet can give it. */
export async function makeTaxedToken(platform: Platform): Promise<PublicKey> {
  const [payer, mint] = [Keypair.generate(), Keypair.generate()];
  const { connection, chain } = platform;
  chain.control.fund(payer.publicKey.toBase58(), 1_000_000_000n);
  chain.control.advanceSlots(2);
  const space = getMintLen([ExtensionType.TransferFeeConfig]);
  const lamports = await connection.getMinimumBalanceForRentExemption(space);
  const account = { fromPubkey: payer.publicKey, newAccountPubkey: mint.publicKey, space, lamports };
  const [address, program, faucet] = [mint.publicKey, TOKEN_2022_PROGRAM_ID, new PublicKey(chain.control.faucet)];
  await land(
    platform,
    payer,
    [
      SystemProgram.createAccount({ ...account, programId: program }),
      createInitializeTransferFeeConfigInstruction(address, null, null, 250, 10n ** 18n, program),
      createInitializeMint2Instruction(address, DECIMALS, faucet, null, program),
    ],
    [mint],
  );
  await listPair(platform, address.toBase58());
  return address;
}

/** Where a mint whose only extension is the transfer fee keeps the bps of its older and its newer fee. */
const FEE_BPS_AT = [166 + 4 + 72 + 16, 166 + 4 + 72 + 16 + 2 + 16];

/** Raises the fee of such a token, as its author may. */
export async function raiseFee({ connection, chain }: Platform, mint: PublicKey, bps: number): Promise<void> {
  const account = await connection.getAccountInfo(mint);
  if (!account) throw new Error('the taxed mint is missing');
  const data = Buffer.from(account.data);
  for (const at of FEE_BPS_AT) data.writeUInt16LE(bps, at);
  const owner = account.owner.toBase58();
  chain.control.setAccounts([
    [mint.toBase58(), { lamports: BigInt(account.lamports), data, owner, executable: false }],
  ]);
}

async function listPair({ db }: Platform, mint: string): Promise<void> {
  await pairs.add(
    db,
    {
      mint,
      symbol: 'TAXED',
      name: 'Taxed',
      decimals: DECIMALS,
      category: 'communities',
      logoUrl: null,
      tokenProgram: TOKEN_2022_PROGRAM_ID.toBase58(),
      priceSource: 'fixed',
      priceSourceId: mint,
      priceMaxAgeMs: 60_000,
      priceMaxConfidenceBps: 100,
    },
    { actor: 'test' },
  );
  await prices.record(db, [{ mint, usd: '1', source: 'fixed', observedAt: new Date() }]);
}
