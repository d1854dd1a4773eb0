import type { LaunchFacts } from '../activities/launch.ts';
import { RESOLUTION_EFFECT, STATE_MEANING } from '../domain/launch-meaning.ts';
import { RESOLUTION_ACTIONS } from '../domain/launch-resolution.ts';

/** Markdown for the workflow's current details: what the launch is, where it stands, what landed, what to do. */
export function describeLaunch(quoteId: string, facts: LaunchFacts): string {
  return [
    `${verbatim(facts.name)} (${verbatim(facts.symbol)}), ${facts.mode} launch \`${quoteId}\``,
    `State: **${facts.state}**. ${STATE_MEANING[facts.state]}`,
    ...(facts.blockedReason ? [`Blocked: ${facts.blockedReason}`] : []),
    ...(facts.state === 'needs_recovery' ? [choices()] : []),
    ...(facts.reason ? [`Reason: ${facts.reason}`] : []),
    table([
      ['creator', facts.creator],
      ['mint', facts.mint],
      ['payment', facts.paymentSignature],
      ['launch wallet', facts.launchWallet],
      ...facts.transactions.map((row): [string, string] => [`${labelOf(row.purpose)}: ${row.status}`, row.signature]),
    ]),
  ].join('\n\n');
}

/** A creator chose this text: in a code span it cannot become a link or an image on an operator's screen. */
function verbatim(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}

function choices(): string {
  const how = 'Send the update `resolve` with `{"action": "…", "note": "why"}`:';
  return [how, '', ...RESOLUTION_ACTIONS.map((action) => `- \`${action}\`: ${RESOLUTION_EFFECT[action]}.`)].join('\n');
}

/** `launch/<quoteId>/3` as `3 pool`. */
function labelOf(purpose: string): string {
  const step = Number(purpose.slice(purpose.lastIndexOf('/') + 1));
  return `${step} ${['payment', 'mint', 'pool', 'locks'][step - 1] ?? purpose}`;
}

function table(rows: [string, string][]): string {
  return ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | \`${value}\` |`)].join('\n');
}
