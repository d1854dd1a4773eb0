import { Argument, type Command } from 'commander';
import {
  problemOfResolution,
  RESOLUTION_ACTIONS,
  type ResolutionAction,
} from '../../../domain/launch/operator-decision.ts';
import { RESOLUTION_EFFECT, STATE_MEANING } from '../../../domain/launch/meaning.ts';
import { withDatabase } from '../../database.ts';
import { findLaunch, LAUNCH_ID_HELP } from './find-launch.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { launchSummary } from './summary.ts';
import { assertConfirmed, type ConfirmedOptions, parsePositive, withConfirmation } from '../../options.ts';
import { print } from '../../output.ts';
import { sendDecision, type Resolved } from './send-decision.ts';
import { withTemporal } from '../../temporal.ts';

interface ResolveOptions extends ConfirmedOptions {
  readonly parking: number;
  readonly atSealedPrice?: boolean;
  readonly wait: number;
}

const HELP = `
What each action does:
${RESOLUTION_ACTIONS.map((action) => `  ${action}: ${RESOLUTION_EFFECT[action]}`).join('\n')}

"launches show" says at which parking a launch is. A decision about an earlier one is refused: it was parked again for another reason.

Ends with 1 when the launch is not in needs_recovery, when the decision is refused, and when the launch is parked again.

Examples:
  npm run ops -- launches resolve 3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11 resume --parking 1 --note "block engine is back" --yes
  npm run ops -- launches resolve 3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11 refund --parking 2 --note "pair was delisted" --actor ada --yes --json`;

export function launchesResolveCommand(launches: Command, io: OpsIo): void {
  withConfirmation(launches.command('resolve'))
    .description('decide about a launch in needs_recovery; the worker carries it out')
    .argument('<id>', LAUNCH_ID_HELP)
    .addArgument(new Argument('<action>', 'what is to be done').choices(RESOLUTION_ACTIONS))
    .requiredOption('--parking <number>', 'which parking it is about, as `launches show` says', parsePositive)
    .option('--at-sealed-price', 'resume: sell a dev buy at the price of the quote, although it is worth more now')
    .option('--wait <seconds>', 'wait so long for the launch to come to rest', parsePositive, 60)
    .addHelpText('after', HELP)
    .action((id: string, action: ResolutionAction, options: ResolveOptions) => resolve(io, id, action, options));
}

function resolve(io: OpsIo, id: string, action: ResolutionAction, options: ResolveOptions): Promise<void> {
  const { note, parking, atSealedPrice, actor = io.user() } = options;
  const resolution = { action, parking, note, actor, ...(atSealedPrice && { atSealedPrice }) };
  const problem = problemOfResolution(resolution);
  if (problem !== undefined) throw new OpsError(problem);
  return withDatabase(io, async (db) => {
    const launch = await findLaunch(db, id);
    if (launch.state !== 'needs_recovery') {
      throw new OpsError(`launch ${launch.quoteId} is ${launch.state}; only one in needs_recovery can be resolved`);
    }
    const of = `launch ${launch.quoteId} at parking ${parking} (${launch.blockedReason})`;
    assertConfirmed(options, `would ${action} ${of}: ${RESOLUTION_EFFECT[action]}`);
    const resolved = await withTemporal(io, (client) =>
      sendDecision({ db, client }, launch.quoteId, resolution, options.wait * 1000),
    );
    report(io, action, resolved, options);
  });
}

function report(io: OpsIo, action: ResolutionAction, { launch, carriedOut }: Resolved, options: ResolveOptions): void {
  const { quoteId, state, blockedReason } = launch;
  const text = carriedOut
    ? `${action} of launch ${quoteId}: now ${state}. ${STATE_MEANING[state]}`
    : `${action} of launch ${quoteId} was accepted and not carried out within ${options.wait} s; \`launches show\` tells more`;
  print(io, options, { action, carriedOut, launch: launchSummary(launch) }, text);
  if (carriedOut && state === 'needs_recovery')
    throw new OpsError(`launch ${quoteId} is parked again: ${blockedReason}`);
}
