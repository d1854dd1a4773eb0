import type { LaunchFacts } from '../../activities/launch/activities.ts';
import { RESOLUTION_EFFECT, STATE_MEANING } from '../../domain/launch/meaning.ts';
import { awaitsDecision, type LaunchStepName } from '../../domain/launch/machine.ts';
import { RESOLUTION_ACTIONS } from '../../domain/launch/operator-decision.ts';
import { LAUNCH_STEPS, type LaunchStep } from '../../domain/purpose.ts';

export function describeLaunch(quoteId: string, facts: LaunchFacts, step?: LaunchStepName | 'openLaunch'): string {
  return [
    `${verbatim(facts.name)} (${verbatim(facts.symbol)}), ${facts.mode} launch \`${quoteId}\``,
    `State: **${facts.state}**. ${STATE_MEANING[facts.state]}`,
    ...(step === undefined
      ? []
      : [`Waits for **${step}**: its tries and its last failure are under *Pending Activities*.`]),
    ...(facts.blockedReason ? [`Blocked: **${facts.blockedReason}**`] : []),
    ...(facts.reason ? [`Reason: ${facts.reason}`] : []),
    ...(awaitsDecision(facts.state) ? [landedSoFar(facts), choices(quoteId, facts.parking)] : []),
    list([
      ['creator', facts.creator],
      ...recipientOf(facts),
      ['mint', facts.mint],
      ['payment', facts.paymentSignature],
      ['launch wallet', facts.launchWallet],
      ...facts.transactions.map((row): [string, string] => [`${labelOf(row.purpose)}, ${row.status}`, row.signature]),
    ]),
  ].join('\n\n');
}

function recipientOf({ feeRecipient }: LaunchFacts): [string, string][] {
  return feeRecipient ? [['Fee Key goes to', feeRecipient]] : [];
}

export function describeLeft(quoteId: string): string {
  return `This run was cancelled, launch \`${quoteId}\` was not: within a minute a new run goes on from the database.`;
}

/** Puts the creator's text into a code span, which keeps it from becoming a link or image. */
function verbatim(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}

/** Lists what landed according to the ledger: an older database may have known more. */
function landedSoFar({ transactions }: LaunchFacts): string {
  const landed = transactions.filter(({ status }) => status === 'landed' || status === 'finalized');
  const steps = LAUNCH_STEPS.map((step) => STEP_NAMES[step]);
  const there = landed.map(({ purpose }) => STEP_NAMES[stepOf(purpose)]);
  const missing = steps.filter((step) => !there.includes(step));
  return `On the chain: **${there.join(', ') || 'nothing'}**. Missing: **${missing.join(', ') || 'nothing'}**.`;
}

function choices(quoteId: string, parking: number): string {
  return [
    'Decide with *More Actions → Send an Update → resolve*, and one of these as *Data* (say why in your own words):',
    '',
    ...RESOLUTION_ACTIONS.map(
      (action) => `- \`{"action": "${action}", "parking": ${parking}, "note": "why"}\`: ${RESOLUTION_EFFECT[action]}.`,
    ),
    '',
    `Or \`npm run ops -- launches resolve ${quoteId} resume --parking ${parking} --note "why"\`. In doubt resume: it can be followed by a refund, not the other way round.`,
  ].join('\n');
}

const STEP_NAMES: Readonly<Record<LaunchStep, string>> = { 1: 'payment', 2: 'mint', 3: 'pool', 4: 'locks' };

function stepOf(purpose: string): LaunchStep {
  const step = LAUNCH_STEPS.find((known) => purpose.endsWith(`/${known}`));
  if (step === undefined) throw new RangeError(`${purpose} is no transaction of a launch`);
  return step;
}

function labelOf(purpose: string): string {
  return `${stepOf(purpose)} ${STEP_NAMES[stepOf(purpose)]}`;
}

function list(rows: [string, string][]): string {
  return rows.map(([name, value]) => `- ${name}: \`${value}\``).join('\n');
}
