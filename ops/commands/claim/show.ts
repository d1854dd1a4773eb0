import type { Command } from 'commander';
import * as claims from '../../../db/claim/claims.ts';
import type { Db } from '../../../db/connect.ts';
import * as tokens from '../../../db/tokens.ts';
import { findTemporal } from '../../service-addresses.ts';
import { readClaimReport, readMintClaims } from './report.ts';
import { claimReportText, mintClaimsText } from './report-text.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions, parsePositive } from '../../options.ts';
import { print } from '../../output.ts';

interface ShowOptions extends OutputOptions {
  readonly limit: number;
}

const INTENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,88}$/;

const EXAMPLES = `
It reads the database only, so it works while the chain and Temporal are away.

Examples:
  npm run ops -- claims show 3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11
  npm run ops -- claims show 5hHq…signature…  --json
  npm run ops -- claims show 7Gyq…mint…`;

export function claimsShowCommand(claims: Command, io: OpsIo): void {
  claims
    .command('show')
    .description('show one claim, or the claims of a launch')
    .argument('<id>', 'intent id, signature of the claim, or mint of the launch')
    .option('--limit <number>', 'with a mint: show at most so many claims', parsePositive, 20)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: ShowOptions) => show(io, id, options));
}

function show(io: OpsIo, id: string, { limit, ...options }: ShowOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const temporal = findTemporal(io);
    if (isMint(id)) {
      if (!(await tokens.byMint(db, id))) throw new OpsError(`there is no launch with the mint ${id}`);
      const report = await readMintClaims(db, id, limit, temporal);
      return print(io, options, report, mintClaimsText(report));
    }
    const report = await readClaimReport(db, await findClaim(db, id), temporal);
    print(io, options, report, claimReportText(report));
  });
}

function isMint(id: string): boolean {
  return BASE58.test(id) && id.length <= 44;
}

async function findClaim(db: Db, id: string) {
  // The Temporal UI shows the workflow's id.
  const intentId = id.replace(/^claim-/, '');
  if (!INTENT_ID.test(intentId) && !BASE58.test(id)) {
    throw new OpsError(`"${id}" is neither an intent id nor a signature nor a mint`);
  }
  const intent = INTENT_ID.test(intentId)
    ? await claims.byId(db, intentId.toLowerCase())
    : await claims.bySignature(db, id);
  if (!intent) throw new OpsError(`there is no claim with the intent id or signature ${id}`);
  return intent;
}
