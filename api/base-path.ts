/** Root of the versioned API. */
export const BASE_PATH = '/api/public/v1';
