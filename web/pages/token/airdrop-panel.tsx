import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { verifyAirdropCommand } from '../../format/commands.ts';
import { count, number } from '../../format/numbers.ts';
import { Answered } from '../../parts/answered.tsx';
import { Command } from '../../parts/command.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { documentUrl } from '../../proof/document-url.ts';

const EVERY_MS = 5_000;

export function AirdropPanel({ mint }: { readonly mint: string }) {
  const asked = useAnswer(
    ['airdrop', mint],
    (signal) => api.ask('GET /tokens/{mint}/airdrop', { path: { mint }, signal }),
    {
      everyMs: EVERY_MS,
    },
  );
  return (
    <Answered asked={asked}>
      {({ airdrop }) =>
        airdrop && (
          <div className="sub-panel">
            <h3>Airdrop to holders of the quote token</h3>
            <Figures>
              <Figure name="Status">{airdrop.delivery.status}</Figure>
              <Figure name="Have theirs">
                {count(airdrop.delivery.deliveredRecipients)} of {count(airdrop.recipients)}
              </Figure>
              <Figure name="Tokens">{number(airdrop.tokens)}</Figure>
              <Figure name="Of the supply">{airdrop.percent} %</Figure>
            </Figures>
            <progress
              aria-label="Airdrop delivered"
              max={airdrop.recipients}
              value={airdrop.delivery.deliveredRecipients}
            />
            <p className="hint">
              <a href={airdrop.recipientsUri} target="_blank" rel="noreferrer noopener">
                The frozen list of recipients
              </a>
            </p>
            {airdrop.seal?.signature && <Command text={verifyAirdropCommand(mint, documentUrl(airdrop.seal.root))} />}
          </div>
        )
      }
    </Answered>
  );
}
