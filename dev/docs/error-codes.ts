import { ERROR_CODES, type ErrorCode, HTTP_STATUS } from '../../domain/errors.ts';

const MEANING: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'a field is missing, malformed or unknown, and the message names it; nothing was begun',
  forbidden: 'this wallet, or this caller, may not do it',
  not_found: 'no such token, launch, claim or path; of a submit: it was not taken in',
  method_not_allowed: 'the path takes another method',
  conflict: 'the state has changed: of a launch, its payment landed and an operator decides; of a claim, prepare again',
  rate_limited: 'too many requests in a minute or at once; wait as `Retry-After` says',
  internal: 'a fault of the platform; repeat the same request',
  service_unavailable:
    'a feature is off (`retryable: false`), or a part does not answer; repeat after `retryAfterSeconds`',
};

export function errorCodesText(): string {
  return ERROR_CODES.map((code) => `- ${HTTP_STATUS[code]} \`${code}\`: ${MEANING[code]}`).join('\n');
}
