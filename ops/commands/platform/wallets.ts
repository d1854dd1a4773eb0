import { type Command, InvalidArgumentError, Option } from 'commander';
import { publicKey } from '../../../chain/transactions/compile.ts';
import * as labelledWallets from '../../../db/platform/labelled-wallets.ts';
import { WALLET_LABELS } from '../../../db/platform/labelled-wallets.ts';
import type { WalletLabel } from '../../../db/schema/platform.ts';
import { errorText } from '../../../domain/error-text.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import {
  actorOption,
  type DecisionOptions,
  decisionOf,
  jsonOption,
  noteOption,
  type OutputOptions,
} from '../../options.ts';
import { print } from '../../output.ts';

interface LabelOptions extends DecisionOptions {
  readonly as: WalletLabel;
}

const HELP = `
Snapshots of holders follow within a minute; airdrops that were prepared before keep their recipients. Program-owned accounts need no
label, the chain shows them.`;

export function walletsCommand(program: Command, io: OpsIo): void {
  const command = program
    .command('wallets')
    .description('exchanges, custodians and treasuries: holders of quote tokens that no airdrop goes to')
    .addHelpText('after', HELP);
  command
    .command('list', { isDefault: true })
    .description('show all of them')
    .addOption(jsonOption())
    .action((options: OutputOptions) => list(io, options));
  decided(command.command('label').description('leave a wallet out of airdrops'))
    .addOption(new Option('--as <label>', 'what it is').choices(WALLET_LABELS).makeOptionMandatory())
    .action((address: string, options: LabelOptions) => label(io, address, options));
  decided(command.command('unlabel').description('let airdrops go to a wallet again')).action(
    (address: string, options: DecisionOptions) => unlabel(io, address, options),
  );
}

function decided(command: Command): Command {
  return command
    .argument('<address>', 'wallet', parseAddress)
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption());
}

function parseAddress(text: string): string {
  try {
    return publicKey(text).toBase58();
  } catch (error) {
    throw new InvalidArgumentError(errorText(error));
  }
}

function list(io: OpsIo, options: OutputOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const wallets = await labelledWallets.list(db);
    const rows = wallets.map(({ label: what, address, addedBy, addedAt, note }) => ({
      label: what,
      address,
      'added by': addedBy,
      added: addedAt,
      note,
    }));
    print(io, options, { wallets }, rows);
  });
}

function label(io: OpsIo, address: string, options: LabelOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const wallet = { address, label: options.as };
    await labelledWallets.set(db, wallet, decisionOf(io, options));
    print(io, options, wallet, `${address} is left out of airdrops: ${options.as}`);
  });
}

function unlabel(io: OpsIo, address: string, options: DecisionOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const had = await labelledWallets.remove(db, address, decisionOf(io, options));
    if (!had) throw new OpsError(`${address} has no label`);
    print(io, options, { address }, `airdrops go to ${address} again`);
  });
}
