import { errorTextWithCauses } from '../../../../domain/error-text.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** Header of the shipped proxy (deploy/proxy/haproxy.cfg) on /healthz: the number of APIs that it sends requests to. */
const HEADER = 'x-apis-behind';

/** Compares the APIs that API_URLS names with those that the proxy of the site sends requests to. */
export async function proxyFindings(siteUrl: string, apiUrls: readonly string[]): Promise<Finding[]> {
  const url = new URL('/healthz', siteUrl);
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return [compare(url.host, response.headers.get(HEADER), apiUrls.length)];
  } catch (error) {
    return [note('proxy', `${url.href} does not answer yet: ${errorTextWithCauses(error)}`)];
  }
}

function compare(host: string, header: string | null, named: number): Finding {
  if (header === null) return note('proxy', `what answers at ${host} does not say how many APIs it sends requests to`);
  const behind = Number(header);
  if (behind >= named) return ok('proxy', `${host} sends requests to ${behind} APIs`);
  const what = `${host} sends requests to ${behind} of the ${named} APIs in API_URLS`;
  return problem(
    'proxy',
    what,
    'raise the number of server-template in deploy/proxy/haproxy.cfg, or start what is away',
  );
}
