import Type from 'typebox';
import { Value } from 'typebox/value';

const RefusalSchema = Type.Object({ error: Type.Object({ message: Type.String(), retryable: Type.Boolean() }) });

/** What 503 may say while parts go away and come back; clients try the same again, or prepare anew. */
const SPECIFIED = [
  /^a service this request depends on does not answer$/,
  /^no launch address is free; one is made within seconds$/,
  /^this launch’s claims are not set up yet; prepare again$/,
  /^the claim is not relayed yet; submit the same again$/,
  /; nothing was charged, prepare the launch again$/,
  /^the payment and its network fee were given back; prepare the launch again if you like$/,
  // The proxy's own, while every API is away.
  /^No server is available to handle this request\.$/,
];

/** What a 503 said: the sentence of its error, or of the page that a proxy wrote in the API's place. */
export function refusalOf(body: string): string {
  try {
    const { error } = Value.Parse(RefusalSchema, Value.Clean(RefusalSchema, JSON.parse(body)));
    return error.retryable ? error.message : `${error.message} (not to be tried again)`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return /No server is available to handle this request\./.exec(body)?.[0] ?? body.slice(0, 200);
  }
}

/** Every 503 that said what is not specified, in words. */
export function refusalProblems(refusals: Readonly<Record<string, number>>): string[] {
  return Object.entries(refusals)
    .filter(([said]) => !SPECIFIED.some((specified) => specified.test(said)))
    .map(([said, count]) => `${count} answers were 503: ${said}`);
}
