import { BASE_PATH } from '../../../api/base-path.ts';

export const STREAM_PATH = `${BASE_PATH}/events/stream`;

/** Spellings that the API's router takes for the stream. The proxy has to know each, or it would hold places of requests. */
export const STREAM_SPELLINGS = [
  STREAM_PATH,
  `${STREAM_PATH}/`,
  `${STREAM_PATH}?after=now`,
  '//api//public/v1//events/stream//',
  `${BASE_PATH}/events/%73tream`,
  `${BASE_PATH}/%65vents/str%65am?types=burn`,
] as const;
