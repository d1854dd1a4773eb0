import type { Command } from 'commander';
import * as tokens from '../../../db/tokens.ts';
import { AppError } from '../../../domain/errors.ts';
import type { LaunchLinks } from '../../../domain/launch/terms.ts';
import { parsePublicLink, parseSocialLink } from '../../../domain/launch/links.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { facts, print } from '../../output.ts';

/** False removes; an absent one stays. */
interface LinkOptions extends DecisionOptions {
  readonly website?: string;
  readonly twitter?: string | false;
  readonly telegram?: string | false;
}

const HELP = `
Links that are not named stay as they are. The permanent metadata of the token cannot change; this corrects what the
platform itself shows.

Examples:
  npm run ops -- tokens links 7xKX…mint… --website https://harbour.example.org --note "domain moved"
  npm run ops -- tokens links 7xKX…mint… --twitter https://x.com/harbour --no-telegram --note "group was taken over"`;

export function tokensLinksCommand(tokens: Command, io: OpsIo): void {
  tokens
    .command('links')
    .description('correct the links that are shown with a token')
    .argument('<mint>', 'mint of the token')
    .option('--website <url>', 'public https URL')
    .option('--twitter <url>', 'public https URL')
    .option('--no-twitter', 'take this link away')
    .option('--telegram <url>', 'public https URL')
    .option('--no-telegram', 'take this link away')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((mint: string, options: LinkOptions, self: Command) => {
      const { website, twitter, telegram } = options;
      const isEmpty = [website, twitter, telegram].every((link) => link === undefined);
      return isEmpty ? self.error('error: name at least one link to change') : setLinks(io, mint, options);
    });
}

function setLinks(io: OpsIo, mint: string, options: LinkOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const token = await tokens.byMint(db, mint);
    if (!token) throw new OpsError(`there is no token with mint ${mint}`);
    const links = changed(token.links, options);
    await tokens.setLinks(db, mint, links, decisionOf(io, options));
    print(io, options, { mint, links }, `links of ${mint}\n${facts({ ...links }, '  ')}`);
  });
}

function changed(links: LaunchLinks, wanted: LinkOptions): LaunchLinks {
  const website = parse('website', wanted.website, parsePublicLink) || links.website;
  const [twitter, telegram] = (['twitter', 'telegram'] as const).map(
    (name) => parse(name, wanted[name], parseSocialLink) ?? links[name],
  );
  return { website, ...(twitter && { twitter }), ...(telegram && { telegram }) };
}

/** Empty if removed. An unusable one is the operator's mistake. */
function parse<Name extends string>(
  name: Name,
  url: string | false | undefined,
  parseLink: (name: Name, url: string) => string,
): string | undefined {
  if (!url) return url === false ? '' : undefined;
  try {
    return parseLink(name, url);
  } catch (error) {
    throw error instanceof AppError ? new OpsError(error.message, { cause: error }) : error;
  }
}
