// With the stand-in's collection of fees.
import { runProgram } from '../../client/cli/program.ts';
import { STAND_IN_COLLECTION } from '../stand-in/collection.ts';

await runProgram({ collection: STAND_IN_COLLECTION });
