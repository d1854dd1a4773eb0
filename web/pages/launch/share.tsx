import { useCopy } from '../../parts/copy.tsx';

interface ShareProps {
  /** Of this site. */
  readonly path: string;
  readonly text: string;
}

/** Shows links that open a post to be written. The page loads nothing from their hosts. */
export function Share({ path, text }: ShareProps) {
  const url = new URL(path, location.origin).href;
  const [copied, copy] = useCopy(url);
  return (
    <p className="share">
      <button type="button" className="button quiet" onClick={copy}>
        {copied ? 'Link copied' : 'Copy the link'}
      </button>
      <a className="button quiet" href={addressOf('https://x.com/intent/post', { text, url })} {...OUTSIDE}>
        Post on X
      </a>
      <a className="button quiet" href={addressOf('https://t.me/share/url', { url, text })} {...OUTSIDE}>
        Send on Telegram
      </a>
    </p>
  );
}

const OUTSIDE = { target: '_blank', rel: 'noreferrer noopener' } as const;

function addressOf(base: string, fields: Readonly<Record<string, string>>): string {
  return `${base}?${new URLSearchParams(fields).toString()}`;
}
