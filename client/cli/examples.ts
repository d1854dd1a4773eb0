import type { Command } from 'commander';

const [API, RPC] = ['--url https://your.site/api/public/v1', '--rpc https://one.example --rpc https://two.example'];

/** Arguments of one use of each command, by its words. */
const EXAMPLES: Readonly<Record<string, string>> = {
  launch: `${API} --keypair key.json --quote-mint MINT --name 'Harbour Light' --symbol HARBOR --logo logo.png --max-sol 0.3 --dry-run`,
  claim: `--all ${API} --keypair key.json`,
  watch: `SIGNATURE ${API}`,
  rewards: `MINT ${API}`,
  wallet: `ADDRESS ${API}`,
  events: `${API} --follow --state cursor.txt --types launch.completed`,
  'verify round': `MINT 5 --document round-5.txt ${API} ${RPC}`,
  'verify airdrop': `MINT --document airdrop.txt ${RPC}`,
  'verify launch': `MINT ${API} ${RPC}`,
  'verify receipt': `receipt.txt ${API} ${RPC}`,
  'verify claim': `SIGNATURE --wallet ADDRESS ${RPC}`,
  'verify wallets': `${API} --state wallets.txt ${RPC}`,
  'verify statement': `MINT ${API} --state pot.txt ${RPC}`,
  'verify budget': `QUOTE_MINT buyback ${API} ${RPC}`,
  'verify treasury': `QUOTE_MINT ${API} ${RPC}`,
  'verify revenue': `${API} ${RPC}`,
  'verify webhook': 'request.txt --public-key whpk_KEY',
};

/** Adds its example to the help of each command below the program. Throws for a command without one. */
export function withExamples(program: Command): Command {
  for (const [words, command] of leavesOf(program)) {
    const example = EXAMPLES[words];
    if (example === undefined) throw new Error(`"${words}" has no example`);
    command.addHelpText('after', `\nExample:\n  ${program.name()} ${words} ${example}`);
  }
  return program;
}

/** Commands that do something, with their words. */
function leavesOf(command: Command, words: readonly string[] = []): (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[words.join(' '), command]];
  return command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]));
}
