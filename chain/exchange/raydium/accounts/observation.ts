import type { AccountKind } from '../account-reader.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';

/** `ObservationState` of the published interface. */
export const OBSERVATION: AccountKind = { name: 'ObservationState', program: CLMM_PROGRAM_ID, bytes: 4_483 };
