import { useState } from 'react';
import { short } from '../format/texts.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1_500;

/** An address or signature that is copied by a click. */
export function Copy({
  text,
  what,
  letters = 4,
}: {
  readonly text: string;
  readonly what: string;
  readonly letters?: number;
}) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => {
      setCopied(false);
    }, SHOWN_MS);
  };
  return (
    <button type="button" className="copy" onClick={() => void copy()} title={text}>
      <span className="sr-only">Copy {what} </span>
      <code>{short(text, letters)}</code>
      <Icon name={copied ? 'done' : 'copy'} />
      <span className="sr-only" role="status">
        {copied ? 'copied' : ''}
      </span>
    </button>
  );
}
