import { CLIENT_ADDRESS } from '../site.ts';
import { useCopy } from './copy.tsx';

/** A command to copy, whole. */
export function Command({ text }: { readonly text: string }) {
  const [copied, copy] = useCopy(text);
  return (
    <div className="command">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" className="button quiet" onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
        <span className="sr-only"> the command {text.split(' ').slice(0, 3).join(' ')}</span>
      </button>
    </div>
  );
}

/** Stands once beside the commands of a page. */
export function CommandHint() {
  return (
    <>
      {CLIENT_ADDRESS !== '' && <Command text={`npm i -g ${CLIENT_ADDRESS}`} />}
      <p className="hint">
        {CLIENT_ADDRESS !== '' && 'This installs the command slipway; no public registry has it. '}
        Set <code>RPC_URL</code> to an endpoint of your own choice: the command checks by the chain, and trusts neither
        this page nor the platform.
      </p>
    </>
  );
}
