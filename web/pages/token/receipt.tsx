import { api } from '../../api/api.ts';
import type { Launch } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { verifyLaunchCommand, verifyReceiptCommand } from '../../format/commands.ts';
import { Answered, Notice } from '../../parts/answered.tsx';
import { Command, CommandHint } from '../../parts/command.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { useDownload } from '../../parts/use-download.ts';
import { readShownReceipt, type ShownReceipt } from '../../proof/receipt.ts';

const EVERY_MS = 15_000;

const KINDS = {
  completed: 'The launch is complete: payment, mint, pool and locks are final.',
  notCharged: 'Nothing was charged, and the payment can never land.',
  refunded: 'The whole payment was given back.',
} as const;

/** The platform's signed statement about a launch. */
export default function Receipt({ launch }: { readonly launch: Launch }) {
  const { paymentSignature, quoteId } = launch;
  const asked = useAnswer(
    ['receipt', paymentSignature],
    (signal) => api.ask('GET /launches/{paymentSignature}/receipt', { path: { paymentSignature }, signal }),
    { everyMs: EVERY_MS },
  );
  return (
    <section className="sub-panel" aria-labelledby="receipt-title">
      <h3 id="receipt-title">Receipt</h3>
      <Answered asked={asked}>
        {({ receipt }) =>
          receipt === null ? (
            <p className="hint">It is signed within minutes of the end of the launch.</p>
          ) : (
            <Signed shown={readShownReceipt(receipt, quoteId)} text={receipt} name={`receipt-${quoteId}.jws`} />
          )
        }
      </Answered>
      <Command text={verifyLaunchCommand(paymentSignature, api.url)} />
      <CommandHint />
    </section>
  );
}

interface SignedProps {
  readonly shown: ShownReceipt;
  readonly text: string;
  readonly name: string;
}

function Signed({ shown, text, name }: SignedProps) {
  const href = useDownload(text);
  return (
    <>
      {shown.problem === null ? (
        <>
          <p>
            <strong>{shown.kind}</strong>. {KINDS[shown.kind]}
          </p>
          <p className="hint">
            Signed by <OnChain kind="address" id={shown.key} what="receipt key" letters={6} />; your browser checked the
            signature. Whether that is a key of the platform, and whether the chain says the same, the command checks.
          </p>
        </>
      ) : (
        <Notice kind="bad">{shown.problem}</Notice>
      )}
      {href !== null && (
        <a className="button quiet" href={href} download={name}>
          Download
        </a>
      )}
      <Command text={verifyReceiptCommand(name, api.url)} />
    </>
  );
}
