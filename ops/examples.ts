import type { Command } from 'commander';

const [MINT, WALLET] = ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', '5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9'];
const QUOTE_ID = '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11';
const WEBHOOK = 'wh_1f0c5e62';

/** Arguments of one use of each command whose own help text shows none, by the command's words. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'airdrops show': QUOTE_ID,
  'switches set': 'launching off --note "restoring the backup of 02:00"',
  'pairs list': '--category stablecoins --launchable',
  'pairs add': `${MINT} --symbol USDC --category stablecoins --price-source pyth --price-id eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a`,
  'pairs retire': `${MINT} --note "its issuer froze the treasury"`,
  'pairs category': 'stablecoins retired --note "no prices since noon"',
  'market months': '--json',
  'inventory show': '--json',
  'inventory set': `${MINT} --reserve 500 --restock-below 1000 --restock-to 5000 --note "for the weekend"`,
  'wallets list': '--json',
  'wallets label': `${WALLET} --as exchange --note "hot wallet"`,
  'wallets unlabel': `${WALLET} --note "not theirs any more"`,
  'webhooks list': '--json',
  'webhooks add': 'https://receiver.example/hook --types trade.final,token.launched',
  'webhooks pause': `${WEBHOOK} --note "the receiver moves"`,
  'webhooks resume': `${WEBHOOK} --note "the receiver is back"`,
  'webhooks replay': `${WEBHOOK} --from 2026-11-21T15:00:00Z --note "the receiver lost a day"`,
  'webhooks remove': `${WEBHOOK} --note "the receiver is gone" --yes`,
  'webhooks test': WEBHOOK,
  'lookup-table show': '--json',
  'lookup-table create': '--json',
  'lookup-table extend': '--json',
  'lanes show': '--json',
  'books show': '--json',
  'books adopt': 'lane/17 --note "restored the backup of the 3rd" --yes',
  'books bury': 'transaction/SIGNATURE --note "its blockhash expired on Monday" --yes',
  'books correct': `launch/${QUOTE_ID} --note "the chain does not confirm it" --yes`,
  'books close': `airdrop/${QUOTE_ID} --note "the issuer will not thaw the escrow" --yes`,
};

/** Adds the examples to the program's help. Throws for an example of a command that does not exist. */
export function withExamples(program: Command): Command {
  const leaves = new Map(leavesOf(program));
  for (const [words, example] of Object.entries(EXAMPLES)) {
    const command = leaves.get(words);
    if (command === undefined) throw new Error(`there is an example of "${words}", which is no command`);
    command.addHelpText('after', `\nExample:\n  npm run ops -- ${words} ${example}`);
  }
  return program;
}

/** Returns the commands that do something, with their words. */
export function leavesOf(command: Command, words: readonly string[] = []): (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[words.join(' '), command]];
  return command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]));
}
