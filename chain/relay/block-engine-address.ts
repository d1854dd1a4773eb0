/** `host:port` or a bare host. */
export interface BlockEngineAddress {
  readonly target: string;
  readonly secure: boolean;
}

/**
 * Parses an address: `http://` is plaintext gRPC, `https://` or a bare host TLS.
 *
 * @throws TypeError for another scheme, a path, or an invalid address
 */
export function parseBlockEngineUrl(text: string): BlockEngineAddress {
  const url = parseUrl(text.includes('://') ? text : `https://${text}`, text);
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  if (!isBare || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw notAnAddress(text);
  return { target: url.port === '' ? url.hostname : url.host, secure: url.protocol === 'https:' };
}

function parseUrl(candidate: string, text: string): URL {
  const url = URL.parse(candidate);
  if (url === null) throw notAnAddress(text);
  return url;
}

function notAnAddress(text: string): TypeError {
  return new TypeError(
    `"${text}" is not a block engine address: expected http://host:port, https://host[:port] or a host`,
  );
}
