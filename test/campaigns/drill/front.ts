import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, CreatorFixture } from '../../support/platform/creator.ts';
import { createPatientApi } from '../chaos/processes/patient-api.ts';
import { count } from '../counts.ts';
import { refusalOf } from './refusals.ts';

/** Several APIs as clients see them: who does not listen is passed over, as by the proxy. */
export interface Front {
  readonly api: CreatorFixture['api'];
  /** How many answers had each HTTP status. */
  readonly answers: () => Record<string, number>;
  /** How often a 503 said what. */
  readonly refusals: () => Record<string, number>;
  /** How often a connection was refused or broke, and a prepare was answered 503; each was tried again. */
  readonly retries: () => number;
}

/** Pause before a prepare that was refused for now is repeated, in ms. */
const PAUSE_MS = 200;

export function createFront(siteUrls: readonly string[]): Front {
  const answers: Record<string, number> = {};
  const refusals: Record<string, number> = {};
  let retries = 0;
  const patient = createPatientApi(siteUrls, {
    answered: (status, body) => {
      count(answers, `${status}`);
      if (status === 503) count(refusals, refusalOf(body));
    },
    broke: () => (retries += 1),
  });
  return {
    answers: () => answers,
    refusals: () => refusals,
    retries: () => retries,
    api: {
      async inject(request: ApiRequest) {
        for (;;) {
          const answer = await patient.inject(request);
          if (answer.statusCode !== 503 || !request.url.endsWith('/prepare')) return answer;
          retries += 1;
          await sleep(PAUSE_MS);
        }
      },
    },
  };
}
