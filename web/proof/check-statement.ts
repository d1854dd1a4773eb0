import { type Check, failureOf } from '../../client/verify/check.ts';
import { checkSums, type Statement } from '../../client/verify/statement/movement-rows.ts';

/** Adds up the rows: they are the stated totals, and what came in is what left and what is held. */
export function checkStatement(statement: Statement): Check {
  try {
    return { name: 'sums', status: 'proven', how: checkSums(statement, 'the statement') };
  } catch (error) {
    return failureOf('sums', error);
  }
}
