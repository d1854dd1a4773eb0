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
    <p className="hint">
      <code>slipway</code> is the command of the package <code>slipway-client</code>. Set <code>RPC_URL</code> to an
      endpoint of your own choice: the command checks by the chain, and trusts neither this page nor the platform.
    </p>
  );
}
